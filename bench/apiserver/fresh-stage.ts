import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#base/json.ts';
import { mustBe, openAll, type Connection } from './connection.ts';
import { createLargeCrd, fleetSchema } from './large-crd.ts';
import { ofTimes, type Measurement } from './measurement.ts';
import { cpuMicros } from './process-usage.ts';
import type { StageRun } from './stage.ts';
import { median } from './statistics.ts';
import type { Running } from './target.ts';

/** The server goes on with a definition after it has answered. */
const afterwardsMillis = 300;

/** What a large definition does to a server that has just begun: each round starts one that has done nothing yet. */
export async function freshStage({
  target,
  folder,
  effort,
  wanted,
}: StageRun): Promise<readonly Measurement[]> {
  if (!wanted.has('crd-block')) return [];
  const schema = fleetSchema();
  const [first, second]: [Pause[], Pause[]] = [[], []];
  for (let round = 0; round < effort.rounds; round++) {
    const running = await target.start(join(folder, String(round)));
    try {
      first.push(await pauseOf(running, 0, schema));
      second.push(await pauseOf(running, 1, schema));
    } finally {
      await running.stop();
    }
  }
  const times = first.map(({ pauseMillis, cpu }) => ({ value: pauseMillis, cpuMicros: cpu }));
  const details = {
    kilobytes: (createLargeCrd(0, schema).body?.length ?? 0) / 1000,
    answerMillis: median(first.map((each) => each.answerMillis)),
    idlePauseMillis: median(first.map((each) => each.idleMillis)),
    secondPauseMillis: median(second.map((each) => each.pauseMillis)),
    secondAnswerMillis: median(second.map((each) => each.answerMillis)),
    secondCpuMicros: median(second.map((each) => each.cpu)),
  };
  return [ofTimes('crd-block', times, details)];
}

type Pause = {
  /** The longest that a bystander waited for an answer while the definition was created. */
  readonly pauseMillis: number;
  /** The same before it, as the machine alone makes it. */
  readonly idleMillis: number;
  readonly answerMillis: number;
  readonly cpu: number;
};

async function pauseOf({ address, pids }: Running, number: number, schema: JsonObject): Promise<Pause> {
  const [writer, bystander] = await openAll(address, 2);
  if (writer === undefined || bystander === undefined) throw new Error('there are no connections');
  const ask = createLargeCrd(number, schema);
  try {
    const before = cpuMicros(pids);
    const idleMillis = await longestWait(bystander, () => sleep(afterwardsMillis));
    const cpu = cpuMicros(pids);
    let answerMillis = 0;
    const pauseMillis = await longestWait(bystander, async () => {
      const began = performance.now();
      mustBe(await writer.send(ask), 201);
      answerMillis = performance.now() - began;
      await sleep(afterwardsMillis);
    });
    // The bystander costs as much in both stretches.
    return { pauseMillis, idleMillis, answerMillis, cpu: cpuMicros(pids) - cpu - (cpu - before) };
  } finally {
    writer.close();
    bystander.close();
  }
}

/** Asks back to back while something else goes on. */
async function longestWait(connection: Connection, act: () => Promise<void>): Promise<number> {
  const acting = { isOver: false };
  const asking = async (): Promise<number> => {
    let longest = 0;
    while (!acting.isOver) {
      const sent = performance.now();
      mustBe(await connection.send({ method: 'GET', path: '/livez' }), 200);
      longest = Math.max(longest, performance.now() - sent);
    }
    return longest;
  };
  const acted = act().finally(() => (acting.isOver = true));
  const [longest] = await Promise.all([asking(), acted]);
  return longest;
}
