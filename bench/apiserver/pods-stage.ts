import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, mustBe, openAll } from './connection.ts';
import type { Effort } from './effort.ts';
import type { FigureId } from './figures.ts';
import { doAll } from './load.ts';
import { ofTimes, type Measurement, type Timed } from './measurement.ts';
import { createNamespace, createPod, createServiceAccount, podsPath } from './objects.ts';
import { cpuMicros, memoryOf } from './process-usage.ts';
import type { StageRun } from './stage.ts';
import { startTimes } from './start-times.ts';
import type { Running } from './target.ts';

const clients = 32;

/** The figures of a server with many pods: memory, start, lists, and the end of all pods. */
export async function podsStage(run: StageRun): Promise<readonly Measurement[]> {
  const { wanted, target, folder } = run;
  const found = [...(await filled(run))];
  if (wanted.has('start-pods')) found.push(await startTimes('start-pods', run));
  const running = await target.start(folder);
  try {
    found.push(...(await lists(run, running)));
    if (wanted.has('deletecollection')) found.push(await deleteCollections(run, running));
  } finally {
    await running.stop();
  }
  return found;
}

async function filled({ target, folder, effort, wanted }: StageRun): Promise<readonly Measurement[]> {
  const running = await target.start(folder);
  try {
    const connection = await Connection.open(running.address);
    mustBe(await connection.send(createNamespace), 201);
    mustBe(await connection.send(createServiceAccount), 201, 409);
    connection.close();
    const createSeconds = await createPods(running, effort);
    return wanted.has('rss-pods') ? [await filledMemory(running, effort, createSeconds)] : [];
  } finally {
    await running.stop();
  }
}

async function createPods({ address }: Running, { pods }: Effort): Promise<number> {
  const connections = await openAll(address, clients);
  const asks = Array.from({ length: pods }, (_, number) => createPod(number));
  const began = performance.now();
  await doAll(connections, asks);
  const seconds = (performance.now() - began) / 1000;
  for (const each of connections) each.close();
  return seconds;
}

async function filledMemory(running: Running, effort: Effort, createSeconds: number): Promise<Measurement> {
  const { pids, address } = running;
  await sleep(effort.settleMillis);
  const { nowMegabytes, peakMegabytes } = memoryOf(pids);
  const connection = await Connection.open(address);
  const path = `${podsPath}?limit=10`;
  const { bytes } = mustBe(await connection.send({ method: 'GET', path }), 200);
  connection.close();
  const details = { peakMegabytes, podsPerSecond: effort.pods / createSeconds, bytesPerPod: bytes / 10 };
  return { id: 'rss-pods', value: nowMegabytes, rounds: [nowMegabytes], details };
}

type ListKind = { readonly id: FigureId; readonly query: string; readonly accept: string };

const json = 'application/json';
const listKinds: readonly ListKind[] = [
  { id: 'list-json', query: '', accept: json },
  { id: 'list-table', query: '', accept: `${json};as=Table;v=v1;g=meta.k8s.io,${json}` },
  { id: 'list-label', query: '?labelSelector=slot%3D7', accept: json },
];

async function lists({ wanted, effort }: StageRun, running: Running): Promise<readonly Measurement[]> {
  const found: Measurement[] = [];
  for (const kind of listKinds) if (wanted.has(kind.id)) found.push(await listTimes(kind, running, effort));
  return found;
}

/** Lists as a client reads them: to the last byte, not packed. The first ones only warm up. */
async function listTimes(kind: ListKind, { address, pids }: Running, effort: Effort): Promise<Measurement> {
  const connection = await Connection.open(address);
  const { query, accept } = kind;
  let length = 0;
  const once = async (): Promise<Timed> => {
    const cpu = cpuMicros(pids);
    const began = performance.now();
    const { bytes } = mustBe(await connection.send({ method: 'GET', path: podsPath + query, accept }), 200);
    length = bytes;
    return { value: performance.now() - began, cpuMicros: cpuMicros(pids) - cpu };
  };
  const times: Timed[] = [];
  for (let i = 0; i < effort.rounds * 4; i++) times.push(await once());
  connection.close();
  const counted = times.slice(effort.rounds);
  return ofTimes(kind.id, counted, {
    megabytes: length / 1e6,
    firstMillis: times[0]?.value ?? 0,
    slowestMillis: Math.max(...counted.map((each) => each.value)),
  });
}

async function deleteCollections({ effort }: StageRun, running: Running): Promise<Measurement> {
  const times: Timed[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    if (round > 0) await createPods(running, effort);
    times.push(await deleteCollection(running));
  }
  return ofTimes('deletecollection', times);
}

async function deleteCollection({ address, pids }: Running): Promise<Timed> {
  const connection = await Connection.open(address);
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  const cpu = cpuMicros(pids);
  const began = performance.now();
  mustBe(await connection.send({ method: 'DELETE', path: podsPath, body }), 200);
  const time = { value: (performance.now() - began) / 1000, cpuMicros: cpuMicros(pids) - cpu };
  const left = mustBe(await connection.send({ method: 'GET', path: podsPath, keep: true }), 200).text;
  connection.close();
  const { items } = JSON.parse(left) as { items: readonly unknown[] | null };
  if ((items ?? []).length > 0) throw new Error(`deletecollection left ${items?.length} pods behind`);
  return time;
}
