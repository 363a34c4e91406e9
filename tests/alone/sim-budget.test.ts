import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const command = 'scripts/sim.ts all --seed 1000000 --minutes 1 --workers 2 --no-shrink';
/** A machine without anything else to do plays ten times as many. */
const least = 1000;

test('a minute of simulation of all sorts on two cores breaks no rule', async () => {
  const { stdout } = await run(process.execPath, command.split(' ')).catch(
    ({ stdout: said }: { stdout: string }) => ({ stdout: said }),
  );
  expect(stdout).toMatch(/ worlds passed, 0 failed\n$/);
  expect(Number(/^(\d+) histories in /m.exec(stdout)?.[1])).toBeGreaterThan(least);
});
