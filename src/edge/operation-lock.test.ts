import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moduleUrl, startChild } from './testing/child.ts';
import { tempDir } from './testing/temp-dir.ts';
import { takeOperationLock } from './operation-lock.ts';

const since = '1970-01-01T00:00:00Z';
const about = { host: 'here', since, what: 'cluster.create' };
const source = `const { takeOperationLock } = await import(process.argv[1]);
  const about = { host: 'there', since: 'then', what: 'cluster.delete' };
  console.log(takeOperationLock(process.argv[2], about).type);
  setInterval(() => undefined, 1000);`;

test('one operator at a time; the other is told who, since when and what for', () => {
  using folder = tempDir();
  const path = join(folder.path, 'cls', 'lock');
  const first = takeOperationLock(path, about);
  expect(takeOperationLock(path, about)).toMatchObject({
    type: 'held',
    holder: { pid: process.pid, host: 'here', since, what: 'cluster.create' },
  });
  if (first.type === 'taken') first.release();
  expect(existsSync(path)).toBe(false);
  expect(takeOperationLock(path, about).type).toBe('taken');
});

test('a lock left behind by a process that was killed is taken over', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'lock');
  const child = startChild(source, moduleUrl('operation-lock.ts'), path);
  expect((await child.lines.next()).value).toBe('taken');
  expect(takeOperationLock(path, about)).toMatchObject({ type: 'held', holder: { host: 'there' } });
  await child.kill();
  expect(takeOperationLock(path, about)).toMatchObject({
    type: 'taken',
    left: { host: 'there', what: 'cluster.delete' },
  });
});

test('a holder that has ended does not keep the lock while nobody has asked for its exit code', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'lock');
  // `sleep` never waits for the child that it inherits from the shell.
  const words = [process.execPath, '--input-type=module', '-e', source, moduleUrl('operation-lock.ts'), path];
  const parent = spawn('sh', ['-c', '"$@" & exec sleep 600', 'sh', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(parent, 'exit');
  onTestFinished(async () => {
    parent.kill('SIGKILL');
    await gone;
  });
  await once(parent.stdout, 'data');
  const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
  expect(takeOperationLock(path, about)).toMatchObject({ type: 'taken', left: { pid } });
});

test('what is no lock of ours does not block for ever', () => {
  using folder = tempDir();
  const path = join(folder.path, 'lock');
  writeFileSync(path, 'nonsense');
  expect(takeOperationLock(path, about)).toMatchObject({ type: 'taken', left: undefined });
});
