import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SortName } from '../world-sorts.ts';

const run = promisify(execFile);

export type SimSaid = { readonly code: number; readonly said: string };

/** `npm run sim` in a process whose decision is broken. `input`: what it reads. */
export async function simBroken(name: string, words: readonly string[], input = ''): Promise<SimSaid> {
  const running = run(
    process.execPath,
    ['--import', './tests/sim/broken/break-decision.ts', 'scripts/sim.ts', ...words],
    { env: { ...process.env, BROKEN_DECISION: name } },
  );
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      said: `${stdout}${stderr}`,
    }),
  );
}

/** Plays one world of a sort in a process whose decision is broken. */
export const playBroken = (sort: SortName, name: string, seed: number): Promise<SimSaid> =>
  simBroken(name, [sort, '--seed', String(seed), '--no-shrink']);
