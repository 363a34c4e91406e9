import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { checkPage } from './write-page.ts';

test.for([
  { path: 'nowhere/page.html', says: /cannot be written: there is no folder .*nowhere$/ },
  { path: 'file/page.html', says: /cannot be written: there is no folder .*file$/ },
  { path: 'folder', says: /cannot be written: give the path of a file, not of a folder$/ },
  { path: 'new/', says: /cannot be written: give the path of a file, not of a folder$/ },
])('$path is refused', ({ path, says }) => {
  using folder = filledFolder();
  expect(() => checkPage(join(folder.path, path))).toThrow(says);
});

test('an empty path is refused', () => {
  expect(() => checkPage('')).toThrow(/--html {2}cannot be written: give the path of a file$/);
});

test.for(['page.html', 'file', 'folder/page.html'])('%s can be written, and is not yet', (path) => {
  using folder = filledFolder();
  checkPage(join(folder.path, path));
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  expect(new Set(names)).toEqual(new Set(['file', 'folder']));
});

function filledFolder(): ReturnType<typeof tempDir> {
  const folder = tempDir();
  mkdirSync(join(folder.path, 'folder'));
  writeFileSync(join(folder.path, 'file'), '');
  return folder;
}
