import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { millis, seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { openLocalShell } from './local-shell.ts';
import { machineOver } from './machine.ts';

const never = new AbortController().signal;

test('a script whose output cannot be kept here has not failed: it may run', async () => {
  using folder = tempDir();
  const host = join(folder.path, 'host');
  mkdirSync(host);
  writeFileSync(join(folder.path, 'logs'), 'no folder');
  const stateDir = join(folder.path, 'state');
  const place = { stateDir, host, cluster: 'c', node: 'n', operation: 'op', grace: millis(1000) };
  const machine = machineOver(openLocalShell(), place, systemClock);
  const lock = { run: 'one', holder: 'me 1 now x', touchEvery: seconds(10), staleAfter: seconds(30) };
  const leased = await machine.lock(lock, never);
  if (leased.type !== 'taken') throw new Error(JSON.stringify(leased));
  const output = {
    log: join(folder.path, 'logs', 's.1.log'),
    onLine: () => undefined,
    kept: 1000,
    secrets: [],
  };
  const end = await machine.ask('s.1', output, never);
  await leased.lease.release(true);
  expect(end).toMatchObject({
    type: 'given-up',
    message: expect.stringMatching(
      /^The output of the script cannot be kept here: E(EXIST|NOTDIR)/,
    ) as string,
  });
});
