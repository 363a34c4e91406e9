import { setTimeout as sleep } from 'node:timers/promises';
import { mustBe, openAll } from './connection.ts';
import type { Effort } from './effort.ts';
import { doAll, rateOf } from './load.ts';
import { ofRate, ofTimes, type Measurement } from './measurement.ts';
import { applyConfigMap, configMapsPath, createConfigMap, createNamespace } from './objects.ts';
import { memoryOf } from './process-usage.ts';
import type { StageRun } from './stage.ts';
import { startTimes } from './start-times.ts';
import type { Running } from './target.ts';
import { median } from './statistics.ts';
import { watchDelays } from './watch-delay.ts';

/** The figures of a server that begins empty: start, memory, small writes and reads, watches. */
export async function emptyStage(run: StageRun): Promise<readonly Measurement[]> {
  const { target, folder, effort, wanted } = run;
  const found: Measurement[] = [];
  const firstStart = await startedFirst(run);
  if (wanted.has('start-empty')) found.push(await startTimes('start-empty', run));
  const running = await target.start(folder);
  try {
    if (wanted.has('rss-idle')) found.push(await idleMemory(running, effort, firstStart));
    found.push(...(await requests(run, running)));
  } finally {
    await running.stop();
  }
  return found;
}

type FirstStart = { readonly firstStartSeconds: number; readonly firstStartMegabytes: number };

/** The first start makes certificates and fills the compile cache: it takes longer and more memory. */
async function startedFirst({ target, folder }: StageRun): Promise<FirstStart> {
  const running = await target.start(folder);
  const firstStartMegabytes = memoryOf(running.pids).nowMegabytes;
  await running.stop();
  return { firstStartSeconds: running.startSeconds, firstStartMegabytes };
}

async function idleMemory({ pids }: Running, effort: Effort, first: FirstStart): Promise<Measurement> {
  await sleep(effort.settleMillis);
  const { nowMegabytes } = memoryOf(pids);
  return { id: 'rss-idle', value: nowMegabytes, rounds: [nowMegabytes], details: first };
}

async function requests({ effort, wanted }: StageRun, running: Running): Promise<readonly Measurement[]> {
  const found: Measurement[] = [];
  const [first] = await openAll(running.address, 1);
  if (first !== undefined) mustBe(await first.send(createNamespace), 201);
  first?.close();
  for (const [id, clients] of [
    ['create-1', 1],
    ['create-16', 16],
    ['create-64', 64],
  ] as const)
    if (wanted.has(id)) found.push(ofRate(id, await creates(running, effort, clients)));
  if (wanted.has('get-64')) found.push(ofRate('get-64', await gets(running, effort)));
  if (wanted.has('patch-16')) found.push(ofRate('patch-16', await patches(running, effort)));
  if (wanted.has('apply-create-16'))
    found.push(ofRate('apply-create-16', await applies(running, effort, 'create')));
  if (wanted.has('apply-change-16'))
    found.push(ofRate('apply-change-16', await applies(running, effort, 'change')));
  for (const [id, watchers] of [
    ['watch-1', 1],
    ['watch-100', 100],
  ] as const)
    if (wanted.has(id)) found.push(await delays(id, watchers, running, effort));
  return found;
}

type RateFound = ReturnType<typeof rateOf>;

async function creates({ address, pids }: Running, effort: Effort, clients: number): RateFound {
  const connections = await openAll(address, clients);
  const ask = (number: number) => createConfigMap(`create-${clients}-${number}`);
  try {
    return await rateOf({ connections, pids, ask, status: 201 }, effort);
  } finally {
    for (const each of connections) each.close();
  }
}

const readObjects = 1000;

async function gets({ address, pids }: Running, effort: Effort): RateFound {
  const connections = await openAll(address, 64);
  const names = Array.from({ length: readObjects }, (_, number) => `get-${number}`);
  await doAll(connections, names.map(createConfigMap));
  const ask = (number: number) =>
    ({ method: 'GET', path: `${configMapsPath}/get-${number % readObjects}` }) as const;
  try {
    return await rateOf({ connections, pids, ask, status: 200 }, effort);
  } finally {
    for (const each of connections) each.close();
  }
}

async function patches({ address, pids }: Running, effort: Effort): RateFound {
  const connections = await openAll(address, 16);
  await doAll(
    connections,
    connections.map((_, number) => createConfigMap(`patch-${number}`)),
  );
  const ask = (number: number, connection: number) =>
    ({
      method: 'PATCH',
      path: `${configMapsPath}/patch-${connection}`,
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ data: { count: String(number) } }),
    }) as const;
  try {
    return await rateOf({ connections, pids, ask, status: 200 }, effort);
  } finally {
    for (const each of connections) each.close();
  }
}

async function applies({ address, pids }: Running, effort: Effort, what: 'create' | 'change'): RateFound {
  const connections = await openAll(address, 16);
  const creates = (number: number) => applyConfigMap(`apply-create-${number}`);
  const changes = (number: number, connection: number) =>
    applyConfigMap(`apply-change-${connection}`, { count: String(number) });
  if (what === 'change')
    await doAll(
      connections,
      connections.map((_, connection) => changes(0, connection)),
    );
  try {
    const load = what === 'create' ? { ask: creates, status: 201 } : { ask: changes, status: 200 };
    return await rateOf({ connections, pids, ...load }, effort);
  } finally {
    for (const each of connections) each.close();
  }
}

async function delays(
  id: 'watch-1' | 'watch-100',
  watchers: number,
  { address, pids }: Running,
  effort: Effort,
): Promise<Measurement> {
  const rounds = [];
  // One round more, whose figures do not count: it warms up.
  for (let round = 0; round <= effort.rounds; round++) {
    const prefix = `${id}-${round}`;
    rounds.push(await watchDelays({ address, pids, watchers, writes: effort.watchedWrites, prefix }));
  }
  const counted = rounds.slice(1);
  const times = counted.map(({ p99, cpuMicrosPerWrite }) => ({ value: p99, cpuMicros: cpuMicrosPerWrite }));
  return ofTimes(id, times, { p50Millis: median(counted.map((each) => each.p50)) });
}
