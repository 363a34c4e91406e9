import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order } from './command-lines-main.ts';
import { runBoathook } from './boathook.ts';
import { runProgram, type Ended } from './program.ts';
import { root } from './project-files.ts';

const main = fileURLToPath(new URL('command-lines-main.ts', import.meta.url));

/** So many are processes of their own. */
const apart = 2;

/**
 * Runs command lines of `boathook` that end by themselves, in any number: the first ones as a user does, the others one
 * after the other in a single process, because to start one takes longer than most of them.
 */
export type CommandLines = Disposable & {
  run(args: readonly string[], cwd?: string): Promise<Ended>;
};

export function openCommandLines(): CommandLines {
  let count = 0;
  let shared: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const send = async (order: Order): Promise<Ended> => {
    shared ??= fork(main, { cwd: root, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const ended = once(shared, 'message') as Promise<[Ended]>;
    shared.send(order);
    return (await ended)[0];
  };
  return {
    run(args, cwd = root) {
      count += 1;
      if (count <= apart)
        return cwd === root ? runBoathook(args) : runProgram(`${root}/boathook`, args, { cwd });
      const next = last.then(() => send({ args, cwd }));
      last = next.catch(() => undefined);
      return next;
    },
    [Symbol.dispose]: () => void shared?.kill('SIGKILL'),
  };
}
