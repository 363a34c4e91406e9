import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SeedResult } from './play-seed.ts';
import type { Player } from './play-sorts.ts';

export type SimWorkers = AsyncDisposable & { readonly players: readonly Player[] };

/** Processes that play worlds beside each other. */
export function startWorkers(count: number): SimWorkers {
  const children = Array.from({ length: count }, () =>
    fork(fileURLToPath(new URL('sim-worker.ts', import.meta.url))),
  );
  return {
    players: children.map(playerOf),
    [Symbol.asyncDispose]: () => {
      for (const child of children) child.disconnect();
      return Promise.resolve();
    },
  };
}

const playerOf =
  (child: ChildProcess): Player =>
  ({ sort, seed, ...rest }) =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void =>
        reject(new Error(`a worker ended with code ${code}; play ${sort} seed ${seed} without --workers`));
      child.once('exit', ended);
      child.once('message', (result) => {
        child.off('exit', ended);
        resolve(result as SeedResult);
      });
      child.send({ sort, seed, ...rest });
    });
