import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { holderText, lockHolder, takeLock } from './lock.ts';

test('one at a time, and the second gets the name of the first', () => {
  using folder = tempDir();
  const first = takeLock(folder.path, 'boathook cluster deploy', '2026-01-01T00:00:00Z');
  const second = takeLock(folder.path, 'boathook cluster cleanup', '2026-01-01T00:00:01Z');
  if (second.type !== 'held' || first.type !== 'taken') throw new Error('the lock is no lock');
  expect(holderText(second.holder)).toMatch(
    new RegExp(`^process ${process.pid} on .* since 2026-01-01T00:00:00Z \\(boathook cluster deploy\\)$`),
  );
  expect(lockHolder(folder.path)?.pid).toBe(process.pid);
  first.release();
  expect(lockHolder(folder.path)).toBeUndefined();
  expect(takeLock(folder.path, 'x', 'y').type).toBe('taken');
  expect(readdirSync(folder.path)).toEqual(['lock']);
});

test.for([
  ['a process that is gone', { pid: 2 ** 22 + 1 }],
  ['another process under its number', { started: '1' }],
  ['another boot', { boot: 'before' }],
] as const)('the lock of %s is taken over', ([, change]) => {
  using folder = tempDir();
  takeLock(folder.path, 'old', 'then');
  const path = join(folder.path, 'lock');
  const holder = { ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...change };
  writeFileSync(path, JSON.stringify(holder));
  const lock = takeLock(folder.path, 'new', 'now');
  expect(lock).toMatchObject({ type: 'taken', leftBy: { what: 'old' } });
  expect(existsSync(path)).toBe(true);
});

test.for(['', '\0\0\0\0', '{"pid":'])('a lock that a power cut left as %j blocks no operation', (content) => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'lock'), content);
  expect(takeLock(folder.path, 'new', 'now').type).toBe('taken');
  expect(readdirSync(folder.path)).toEqual(['lock']);
});
