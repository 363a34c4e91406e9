import { mustBe, type Ask, type Connection } from './connection.ts';
import type { Effort } from './effort.ts';
import { cpuMicros } from './process-usage.ts';
import { median, percentile } from './statistics.ts';

export type Load = {
  readonly connections: readonly Connection[];
  readonly pids: readonly number[];
  /** The request with this number, counted over all rounds, on the connection with that number. */
  readonly ask: (number: number, connection: number) => Ask;
  readonly status: number;
};

type Round = { readonly perSecond: number; readonly cpu: number; readonly latencies: readonly number[] };

export type Rate = {
  readonly perSecond: number;
  readonly rounds: readonly number[];
  readonly cpuMicrosPerOperation: number;
  readonly p50: number;
  readonly p99: number;
};

/** As many requests as the connections can do one after the other; the median of several rounds. */
export async function rateOf(load: Load, effort: Effort): Promise<Rate> {
  const count = { next: 0 };
  await round(load, effort.warmUpMillis, count);
  const rounds: Round[] = [];
  for (let i = 0; i < effort.rounds; i++) rounds.push(await round(load, effort.roundMillis, count));
  const latencies = rounds.flatMap((each) => each.latencies);
  return {
    perSecond: median(rounds.map((each) => each.perSecond)),
    rounds: rounds.map((each) => each.perSecond),
    cpuMicrosPerOperation: median(rounds.map((each) => each.cpu)),
    p50: median(latencies),
    p99: percentile(latencies, 0.99),
  };
}

async function round(load: Load, millis: number, count: { next: number }): Promise<Round> {
  const latencies: number[] = [];
  const cpu = cpuMicros(load.pids);
  const began = performance.now();
  const worker = async (connection: Connection, number: number): Promise<void> => {
    for (let sent = performance.now(); sent < began + millis;) {
      mustBe(await connection.send(load.ask(count.next++, number)), load.status);
      const now = performance.now();
      latencies.push(now - sent);
      sent = now;
    }
  };
  await Promise.all(load.connections.map(worker));
  const seconds = (performance.now() - began) / 1000;
  return {
    perSecond: latencies.length / seconds,
    cpu: (cpuMicros(load.pids) - cpu) / latencies.length,
    latencies,
  };
}

/** Does each of these requests once, on whichever connection is free. */
export async function doAll(connections: readonly Connection[], asks: Iterable<Ask>): Promise<void> {
  const left = asks[Symbol.iterator]();
  const worker = async (connection: Connection): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next())
      mustBe(await connection.send(next.value), 200, 201);
  };
  await Promise.all(connections.map(worker));
}
