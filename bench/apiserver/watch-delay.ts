import { configMapsPath, createConfigMap } from './objects.ts';
import { Connection, mustBe, openAll, type Address } from './connection.ts';
import { cpuMicros } from './process-usage.ts';
import { percentile } from './statistics.ts';

export type Delays = {
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicrosPerWrite: number;
};

export type Watched = {
  readonly address: Address;
  readonly pids: readonly number[];
  readonly watchers: number;
  readonly writes: number;
  /** Names of what is written begin with it. */
  readonly prefix: string;
};

/**
 * One writer creates objects, the next when every watcher has seen the one before. A delay is counted from
 * sending the POST until the event is there, once per watcher.
 */
export async function watchDelays({ address, pids, watchers, writes, prefix }: Watched): Promise<Delays> {
  const writer = await Connection.open(address);
  const from = await newestRevision(writer);
  const delays: number[] = [];
  const seen = new Arrivals(watchers);
  const connections = await openAll(address, watchers);
  const path = `${configMapsPath}?watch=1&resourceVersion=${from}`;
  for (const connection of connections) {
    const onPiece = lineReader((line) => seen.arrived(line.includes(`"name":"${seen.name}"`), delays));
    connection.send({ method: 'GET', path, onPiece }).then(
      (reply) => seen.broke(new Error(`a watch ended with ${reply.status}: ${reply.text}`)),
      (error: unknown) => seen.broke(error),
    );
  }
  const cpu = cpuMicros(pids);
  for (let i = 0; i < writes; i++) {
    const all = seen.expect(`${prefix}-${i}`);
    mustBe(await writer.send(createConfigMap(seen.name)), 201);
    await all;
  }
  const cpuMicrosPerWrite = (cpuMicros(pids) - cpu) / writes;
  for (const connection of [writer, ...connections]) connection.close();
  return { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99), cpuMicrosPerWrite };
}

async function newestRevision(connection: Connection): Promise<string> {
  const path = `${configMapsPath}?limit=1`;
  const { text } = mustBe(await connection.send({ method: 'GET', path, keep: true }), 200);
  return (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

/** Counts who has seen the object that was written last. */
class Arrivals {
  name = '';
  readonly #watchers: number;
  #missing = 0;
  #sent = 0;
  #done: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(watchers: number) {
    this.#watchers = watchers;
  }

  expect(name: string): Promise<void> {
    this.name = name;
    this.#missing = this.#watchers;
    this.#done = Promise.withResolvers();
    this.#sent = performance.now();
    return this.#done.promise;
  }

  arrived(isExpected: boolean, delays: number[]): void {
    if (!isExpected) return;
    delays.push(performance.now() - this.#sent);
    this.#missing -= 1;
    if (this.#missing === 0) this.#done.resolve();
  }

  broke(error: unknown): void {
    this.#done.reject(error);
  }
}

/** Cuts what comes in pieces into lines. */
function lineReader(onLine: (line: string) => void): (piece: Buffer) => void {
  let rest = '';
  return (piece) => {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}
