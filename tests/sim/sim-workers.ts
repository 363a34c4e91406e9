import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brokenWorld } from './broken-world.ts';
import type { SeedResult, WorldOfSeed } from './play-seed.ts';
import type { Player } from './play-sorts.ts';

export type SimWorkers = Disposable & { readonly players: readonly Player[] };

const workerFile = fileURLToPath(new URL('sim-worker.ts', import.meta.url));

/** Processes that play worlds beside each other. `file`: what each of them runs. */
export function startWorkers(count: number, file = workerFile): SimWorkers {
  const workers = Array.from({ length: count }, () => new SimWorker(file));
  return {
    players: workers.map((worker) => (world) => worker.play(world)),
    [Symbol.dispose]: () => {
      for (const worker of workers) worker.close();
    },
  };
}

/** A process that plays one world at a time, and another one in its place when it ends. */
class SimWorker {
  readonly #file: string;
  #child: ChildProcess | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** A world in which the process ends has failed. */
  play(world: WorldOfSeed): Promise<SeedResult> {
    const child = this.#start();
    const began = performance.now();
    return new Promise((resolve) => {
      const ended = (code: number | null, signal: string | null): void => {
        const error = new Error(`its process ended with ${signal ?? `code ${code}`}`);
        resolve({ ...brokenWorld(error), cpu: performance.now() - began });
      };
      child.once('exit', ended);
      child.once('message', (result) => {
        child.off('exit', ended);
        resolve(result as SeedResult);
      });
      // A process that has just ended has its exit told as well.
      child.send(world, () => undefined);
    });
  }

  close(): void {
    this.#child?.kill();
  }

  #start(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = fork(this.#file);
    child.once('exit', () => {
      this.#child = undefined;
    });
    this.#child = child;
    return child;
  }
}
