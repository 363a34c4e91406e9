import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SortName } from '../world-sorts.ts';

const run = promisify(execFile);

/** Plays one world of a sort in a process whose decision is broken. */
export const playBroken = (
  sort: SortName,
  name: string,
  seed: number,
): Promise<{ readonly code: number; readonly said: string }> =>
  run(
    process.execPath,
    [
      '--import',
      './tests/sim/broken/break-decision.ts',
      'scripts/sim.ts',
      sort,
      '--seed',
      String(seed),
      '--worlds',
      '1',
      '--no-shrink',
    ],
    { env: { ...process.env, BROKEN_DECISION: name } },
  ).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      said: `${stdout}${stderr}`,
    }),
  );
