import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataDirHeld, DataDirUnwritable, openDataDir } from './data-dir.ts';
import { moduleUrl, startChild } from './testing/child.ts';
import { tempDir } from './testing/temp-dir.ts';

const byText = (left: string, right: string): number => (left < right ? -1 : 1);

function refusal(path: string): unknown {
  try {
    openDataDir(path).close();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('the directory is made for its owner only', () => {
  using dir = tempDir();
  const path = join(dir.path, 'a', 'b');
  const data = openDataDir(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  data.close();
});

test('a held directory names its holder, and is free after close', () => {
  using dir = tempDir();
  const data = openDataDir(dir.path);
  const error = refusal(dir.path);
  expect(error).toBeInstanceOf(DataDirHeld);
  expect(error).toMatchObject({ pid: process.pid, path: dir.path });
  data.close();
  data.close();
  expect(existsSync(join(dir.path, 'pki', 'lock-holder.json'))).toBe(false);
  expect(refusal(dir.path)).toBeUndefined();
});

const holder = `
  import { openDataDir } from '${moduleUrl('data-dir.ts')}';
  try {
    openDataDir(process.argv[1]);
    console.log('holds');
    setInterval(() => undefined, 1000);
  } catch (error) {
    console.log(error.name);
  }
`;

test('another process holds it until it dies, even by a kill', async () => {
  using dir = tempDir();
  const child = startChild(holder, dir.path);
  expect((await child.lines.next()).value).toBe('holds');
  expect(refusal(dir.path)).toMatchObject({ name: 'DataDirHeld', pid: child.process.pid });
  await child.kill();
  expect(existsSync(join(dir.path, 'pki', 'lock-holder.json'))).toBe(true);
  expect(refusal(dir.path)).toBeUndefined();
});

test('of several that start at once after a crash, one gets it', async () => {
  using dir = tempDir();
  const crashed = startChild(holder, dir.path);
  await crashed.lines.next();
  await crashed.kill();
  const starters = Array.from({ length: 4 }, () => startChild(holder, dir.path));
  const said = await Promise.all(starters.map(async (each) => (await each.lines.next()).value));
  await Promise.all(starters.map((each) => each.kill()));
  expect(said.toSorted(byText)).toEqual(['DataDirHeld', 'DataDirHeld', 'DataDirHeld', 'holds']);
});

test('a pid that meanwhile belongs to another process is not blamed', () => {
  using dir = tempDir();
  const data = openDataDir(dir.path);
  const file = join(dir.path, 'pki', 'lock-holder.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), started: '1' }));
  expect(refusal(dir.path)).toMatchObject({ name: 'DataDirHeld', pid: undefined });
  data.close();
});

test('a place that cannot be a directory is refused', () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, 'file'), '');
  expect(refusal(join(dir.path, 'file'))).toBeInstanceOf(DataDirUnwritable);
  mkdirSync(join(dir.path, 'taken', 'pki', 'lock'), { recursive: true });
  expect(refusal(join(dir.path, 'taken'))).toBeInstanceOf(DataDirUnwritable);
});
