import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { millis, seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { openLocalShell } from './local-shell.ts';
import { machineOver, type Workplace } from './machine.ts';
import type { Job } from './run-job.ts';

const never = new AbortController().signal;

async function locked(place: Workplace, run: string) {
  const machine = machineOver(openLocalShell(), place, systemClock);
  const lock = { run, holder: 'me 1 now x', touchEvery: seconds(10), staleAfter: seconds(30) };
  const leased = await machine.lock(lock, never);
  if (leased.type !== 'taken') throw new Error(JSON.stringify(leased));
  return { machine, lease: leased.lease };
}

test('an operator that cleans up leaves a script of its operation that still runs, and its result', async () => {
  using folder = tempDir();
  const host = join(folder.path, 'host');
  mkdirSync(host);
  const stateDir = join(folder.path, 'state');
  const place = { stateDir, host, cluster: 'c', node: 'n', operation: 'op', grace: millis(1000) };
  const [note, go] = [join(folder.path, 'note'), join(folder.path, 'go')];
  // It ends by itself when the test fails.
  const wait = `tries=0; while [ ! -e ${go} ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done`;
  const text = `#!/bin/sh\necho start >>${note}\necho begun\n${wait}\n`;
  const files = [{ name: 's', content: new TextEncoder().encode(text), executable: true }];
  const about = { step: 's', fingerprint: 'f', outputLimit: 1000 };
  const job: Job = { files, words: ['./s'], env: [], cwd: undefined, timeout: undefined, ...about };
  const begun = Promise.withResolvers<void>();
  const output = { onLine: () => begun.resolve(), kept: 1000, secrets: [] };

  const first = await locked(place, 'one');
  const cut = first.machine.run('s.1', job, output, never).catch(String);
  await begun.promise;
  await first.lease.release(false);
  await cut;
  const second = await locked(place, 'two');
  await second.lease.release(true);

  const wanted = { purge: true, paths: [] };
  await second.machine.remains(wanted, never);
  expect(existsSync(join(stateDir, 'c', 'n', 'op', 's.1', 'env')), 'after --purge').toBe(true);

  const third = await locked(place, 'three');
  const asked = third.machine.ask('s.1', output, never);
  writeFileSync(go, '');
  const end = await asked;
  await third.lease.release(true);
  expect(end).toMatchObject({ type: 'exited', code: 0 });
  expect(readFileSync(note, 'utf8')).toBe('start\n');
  expect(existsSync(join(stateDir, 'c', 'n', 'op'))).toBe(false);
  await third.machine.remains(wanted, never);
  expect(existsSync(join(stateDir, 'c'))).toBe(false);
});
