import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type Child = {
  readonly process: ChildProcessByStdio<null, Readable, null>;
  readonly lines: AsyncIterator<string>;
  /** Ends it as a power cut would, and waits until it is gone. Every line it printed is kept. */
  kill(): Promise<void>;
};

/** Runs a module text in a Node process of its own. Arguments start at process.argv[1]. */
export function startChild(source: string, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const gone = once(child, 'exit');
  return {
    process: child,
    lines,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The address of a module of this room, for a child to import. */
export const moduleUrl = (name: string): string => new URL(`../${name}`, import.meta.url).href;
