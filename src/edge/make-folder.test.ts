import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, tryMakeFolder } from './make-folder.ts';
import { tempDir } from './testing/temp-dir.ts';

test('all missing folders are made, for their owner only, and named', () => {
  using dir = tempDir();
  const [one, two] = [join(dir.path, 'a'), join(dir.path, 'a', 'b')];
  expect(makeFolder(two)).toEqual([one, two]);
  expect(statSync(two).mode & 0o777).toBe(0o700);
  expect(makeFolder(two)).toEqual([]);
});

test('a trial leaves nothing behind', () => {
  using dir = tempDir();
  tryMakeFolder(join(dir.path, 'a', 'b'));
  expect(readdirSync(dir.path)).toEqual([]);
});

test('a place where no folder can be made is refused at once', () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, 'file'), '');
  symlinkSync(join(dir.path, 'nowhere', 'deep'), join(dir.path, 'dangling'));
  expect(() => makeFolder('/proc/boathook/a')).toThrow(/ENOENT.*'\/proc\/boathook'/);
  expect(() => makeFolder(join(dir.path, 'file', 'a'))).toThrow(/ENOTDIR|EEXIST/);
  expect(() => makeFolder(join(dir.path, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(dir.path, 'dangling', 'a'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(dir.path, 'new', 'long'.repeat(100)))).toThrow(/ENAMETOOLONG/);
  expect(existsSync(join(dir.path, 'new'))).toBe(false);
});
