import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Journal, Row } from '#base/journal.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { instant } from '#base/time.ts';
import { JournalUnusable } from './journal-unusable.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { moduleUrl, startChild } from '#edge/testing/child.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';

const row = (revision: number, json = '{}'): Row => ({
  revision,
  resource: 'apps/deployments',
  key: `default/d-${revision}`,
  deleted: revision % 3 === 0,
  at: instant(1_700_000_000_000 + revision),
  json,
});
const rows = (from: number, count: number): Row[] => Array.from({ length: count }, (_, i) => row(from + i));
const all = (journal: Journal): Row[] => [...journal.load().rows];

test.for([0, 1, 2, 4, 5, 16, 21, 63, 64, 65, 200])(
  '%i rows come back as they were, after a restart',
  (count) => {
    using dir = tempDir();
    const path = join(dir.path, 'journal.db');
    const first = openSqliteJournal(path);
    first.append(rows(1, count));
    first.close();
    const second = openSqliteJournal(path);
    expect(all(second)).toEqual(rows(1, count));
    expect(second.load().compacted).toBe(0);
    second.close();
  },
);

test('texts of any kind survive', () => {
  using dir = tempDir();
  const path = join(dir.path, 'journal.db');
  const journal = openSqliteJournal(path);
  let revision = 0;
  fc.assert(
    fc.property(fc.json(), (json) => {
      const written = row(++revision, json);
      journal.append([written]);
      expect(all(journal).at(-1)).toEqual(written);
    }),
    { numRuns: 50 },
  );
  journal.close();
});

test.for([
  { name: 'sqlite', open: (path: string) => openSqliteJournal(path) },
  { name: 'memory', open: () => memoryJournal() },
])('$name: forgotten rows are gone and the mark never falls', ({ open }) => {
  using dir = tempDir();
  const journal = open(join(dir.path, 'journal.db'));
  journal.append(rows(1, 10));
  journal.forget({ revisions: [1, 2, 4], compacted: 5 });
  expect(all(journal).map((each) => each.revision)).toEqual([3, 5, 6, 7, 8, 9, 10]);
  expect(journal.load().compacted).toBe(5);
  journal.forget({ revisions: [], compacted: 3 });
  expect(journal.load().compacted).toBe(5);
  // The highest revision must not be given away twice, even when its row is forgotten.
  journal.forget({ revisions: [10], compacted: 5 });
  expect(journal.load().compacted).toBe(10);
  journal.tidy();
  expect(all(journal).map((each) => each.revision)).toEqual([3, 5, 6, 7, 8, 9]);
  journal.close();
});

test('a refused append leaves nothing behind', () => {
  using dir = tempDir();
  const journal = openSqliteJournal(join(dir.path, 'journal.db'));
  journal.append(rows(1, 2));
  expect(() => journal.append([...rows(3, 20), row(1)])).toThrow(/UNIQUE/);
  expect(all(journal)).toHaveLength(2);
  journal.append(rows(3, 1));
  expect(all(journal)).toHaveLength(3);
  journal.close();
});

test('rows appended while loading are not part of what is loaded', () => {
  using dir = tempDir();
  const journal = openSqliteJournal(join(dir.path, 'journal.db'));
  journal.append(rows(1, 5));
  const seen: number[] = [];
  for (const { revision } of journal.load().rows) {
    seen.push(revision);
    journal.append([row(100 + revision)]);
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  journal.close();
});

test('only the owner can read the files', () => {
  using dir = tempDir();
  const path = join(dir.path, 'journal.db');
  const journal = openSqliteJournal(path);
  journal.append(rows(1, 1));
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  journal.close();
});

function troubleOf(path: string): { trouble: string; message: string } {
  try {
    const journal = openSqliteJournal(path);
    for (const each of journal.load().rows) void each;
    journal.close();
  } catch (error) {
    if (error instanceof JournalUnusable) return { trouble: error.trouble, message: error.message };
    throw error;
  }
  return { trouble: 'none', message: '' };
}

test('a file of a newer version is refused in one sentence', () => {
  using dir = tempDir();
  const path = join(dir.path, 'journal.db');
  openSqliteJournal(path).close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const { trouble, message } = troubleOf(path);
  expect(trouble).toBe('newer');
  expect(message).toMatch(/newer version of Boathook.*format 99/);
  expect(message).not.toContain('\n');
});

test('something that is no journal is called damaged', () => {
  using dir = tempDir();
  const path = join(dir.path, 'journal.db');
  writeFileSync(path, 'certainly no database, but long enough to be taken for one '.repeat(100));
  expect(troubleOf(path).trouble).toBe('damaged');
});

test('a file with a broken middle is called damaged', () => {
  using dir = tempDir();
  const path = join(dir.path, 'journal.db');
  const journal = openSqliteJournal(path);
  journal.append(Array.from({ length: 500 }, (_, i) => row(i + 1, `"${'x'.repeat(2000)}"`)));
  journal.tidy();
  journal.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, 8192, bytes.length - 8192);
  writeFileSync(path, bytes);
  expect(troubleOf(path).trouble).toBe('damaged');
});

test('a second opener is told that the file is in use', () => {
  using dir = tempDir();
  const path = join(dir.path, 'journal.db');
  const journal = openSqliteJournal(path);
  expect(troubleOf(path).trouble).toBe('in-use');
  journal.close();
  expect(troubleOf(path).trouble).toBe('none');
});

test('a path that cannot be written is unreachable', () => {
  using dir = tempDir();
  expect(troubleOf(join(dir.path, 'no', 'such', 'folder.db')).trouble).toBe('unreachable');
});

/** Appends batches of growing sizes and says after each which revision is safe. */
const writer = `
  import { writeSync } from 'node:fs';
  import { openSqliteJournal } from '${moduleUrl('journal/sqlite-journal.ts')}';
  const journal = openSqliteJournal(process.argv[1]);
  let revision = 0;
  for (const row of journal.load().rows) revision = row.revision;
  for (let batch = 0; ; batch++) {
    const rows = Array.from({ length: 1 + (batch * 7) % 40 }, () => ({
      revision: ++revision, resource: '/pods', key: 'default/p' + revision, deleted: false, at: Date.now(),
      json: JSON.stringify({ revision, padding: 'x'.repeat(1500) }),
    }));
    journal.append(rows);
    writeSync(1, revision + '\\n');
    if (batch % 50 === 49) journal.tidy();
  }
`;

test('every acknowledged row survives a kill in the middle of appends', async () => {
  using dir = tempDir();
  const path = join(dir.path, 'journal.db');
  for (let round = 0; round < 8; round++) {
    const child = startChild(writer, path);
    let safe = 0;
    for (let i = 0; i < 20 + round * 23; i++) safe = Number((await child.lines.next()).value);
    await child.kill();
    const journal = openSqliteJournal(path);
    const found = all(journal);
    journal.close();
    expect(found.length).toBeGreaterThanOrEqual(safe);
    expect(found.map((each) => each.revision)).toEqual(found.map((_, i) => i + 1));
    expect(found.every((each) => JSON.parse(each.json).revision === each.revision)).toBe(true);
  }
});
