import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { JournalUnusable } from './journal-unusable.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { inspectJournal } from './inspect.ts';
import type { Upgrade } from './upgrade.ts';

/** The tables of format 1, as the first version of Boathook made them. */
const format1 = `
  CREATE TABLE revisions (
    revision INTEGER PRIMARY KEY, resource TEXT NOT NULL, key TEXT NOT NULL, deleted INTEGER NOT NULL, json TEXT NOT NULL
  ) STRICT;
  CREATE TABLE compaction (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL) STRICT;
  PRAGMA journal_mode = WAL;
  PRAGMA user_version = 1;
`;

type OldRow = readonly [revision: number, key: string, deleted: 0 | 1];

function oldFile(path: string, rows: readonly OldRow[], compacted: number): void {
  const database = new DatabaseSync(path);
  database.exec(format1);
  database.prepare('INSERT INTO compaction VALUES (1, ?)').run(compacted);
  const insert = database.prepare('INSERT INTO revisions VALUES (?, ?, ?, ?, ?)');
  for (const [revision, key, deleted] of rows)
    insert.run(revision, '/configmaps', key, deleted, JSON.stringify({ kind: 'ConfigMap', revision }));
  database.close();
}

function upgraded(path: string): { upgrades: Upgrade[]; revisions: number[]; compacted: number } {
  const upgrades: Upgrade[] = [];
  const journal = openSqliteJournal(path, { onUpgrade: (upgrade) => upgrades.push(upgrade) });
  const { rows, compacted } = journal.load();
  const revisions = [...rows].map(({ revision }) => revision);
  journal.close();
  return { upgrades, revisions, compacted };
}

test('a file of format 1 is upgraded once, and kept as it was', () => {
  using dir = tempDir();
  const path = join(dir.path, 'objects.db');
  oldFile(
    path,
    [
      [2, 'a/x', 0],
      [3, 'a/y', 0],
      [4, 'a/x', 0],
      [5, 'a/y', 1],
    ],
    3,
  );
  const copy = `${path}.format-1`;
  expect(upgraded(path)).toEqual({
    upgrades: [{ copy, leftovers: 0 }],
    revisions: [2, 3, 4, 5],
    compacted: 3,
  });
  expect(upgraded(path)).toEqual({ upgrades: [], revisions: [2, 3, 4, 5], compacted: 3 });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(inspectJournal(copy)).toMatchObject({ format: 1, last: { revision: 5 }, problems: [] });
  const database = new DatabaseSync(copy);
  expect(database.prepare('SELECT count(*) AS rows FROM revisions').get()).toEqual({ rows: 4 });
  database.close();
});

test('old records below the mark are removed with the upgrade, so that no deletion is undone later', () => {
  using dir = tempDir();
  const path = join(dir.path, 'objects.db');
  // x was replaced at 6 and deleted at 12; y was deleted at 7; z was replaced twice and lives.
  oldFile(
    path,
    [
      [1, 'a/x', 0],
      [2, 'a/y', 0],
      [3, 'a/z', 0],
      [4, 'a/z', 0],
      [6, 'a/x', 0],
      [7, 'a/y', 1],
      [8, 'a/z', 0],
      [12, 'a/x', 1],
    ],
    10,
  );
  expect(inspectJournal(path)).toMatchObject({ leftovers: 5, problems: [] });
  const { upgrades, revisions } = upgraded(path);
  expect(upgrades[0]?.leftovers).toBe(5);
  expect(revisions).toEqual([6, 8, 12]);
});

test('a damaged file of format 1 is refused and stays as it is', () => {
  using dir = tempDir();
  const path = join(dir.path, 'objects.db');
  oldFile(path, [[1, 'a/x', 0]], 0);
  const database = new DatabaseSync(path);
  database.exec(`UPDATE revisions SET json = '{"kind":'`);
  database.close();
  expect(() => openSqliteJournal(path)).toThrow(JournalUnusable);
  expect(() => openSqliteJournal(path)).toThrow(/revision 1 \(\/configmaps a\/x\) is no JSON/);
  expect(inspectJournal(path)).toMatchObject({
    format: 1,
    problems: [expect.stringContaining('is no JSON')],
  });
});

test('an upgrade that is killed before it is committed starts again', () => {
  using dir = tempDir();
  const path = join(dir.path, 'objects.db');
  oldFile(path, [[1, 'a/x', 0]], 0);
  openSqliteJournal(path).close();
  const [head, copy] = [`${path}-head`, `${path}.format-1`];
  expect(existsSync(head) && existsSync(copy)).toBe(true);
  using again = tempDir();
  const second = join(again.path, 'objects.db');
  oldFile(
    second,
    [
      [1, 'a/x', 0],
      [2, 'a/x', 0],
    ],
    0,
  );
  // What the killed one had written by then: a head and a copy.
  const first = new DatabaseSync(copy);
  first.prepare('VACUUM INTO ?').run(`${second}.format-1`);
  first.close();
  expect(upgraded(second)).toMatchObject({ revisions: [1, 2] });
  expect(inspectJournal(`${second}.format-1`).last.revision).toBe(2);
});
