import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Row } from '#base/journal.ts';
import { instant } from '#base/time.ts';
import { JournalUnusable } from './journal-unusable.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { copyJournal } from './copy.ts';
import { inspectJournal } from './inspect.ts';

const row = (revision: number, key = `default/c${revision}`): Row => ({
  revision,
  resource: '/configmaps',
  key,
  deleted: false,
  at: instant(1_700_000_000_000),
  json: JSON.stringify({ kind: 'ConfigMap', metadata: { name: key }, filler: 'x'.repeat(300) }),
});

const rows = (from: number, count: number): Row[] => Array.from({ length: count }, (_, at) => row(from + at));

/** 500 objects, of which 100 are in the log only; the first 50 revisions are compacted. As a killed server leaves it. */
function killedServer(folder: string): string {
  const [live, path] = [join(folder, 'live.db'), join(folder, 'objects.db')];
  const journal = openSqliteJournal(live);
  journal.append(rows(1, 400));
  journal.forget({ revisions: [1, 2, 3], compacted: 50 });
  journal.tidy();
  // The next write starts the log again; before that it would hold everything.
  for (let from = 401; from <= 500; from += 10) journal.append(rows(from, 10));
  copyJournal(live, path);
  journal.close();
  return path;
}

const edit = (path: string, sql: string): void => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};

function fill(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0, from, to);
  writeFileSync(path, bytes);
}

function problemOf(path: string): string {
  try {
    const journal = openSqliteJournal(path);
    try {
      for (const each of journal.load().rows) void each;
    } finally {
      journal.close();
    }
    return 'none';
  } catch (error) {
    if (error instanceof JournalUnusable) return `${error.trouble}: ${error.message}`;
    throw error;
  }
}

test.for<{ name: string; harm: (path: string) => void; problem: RegExp }>([
  { name: 'nothing', harm: () => undefined, problem: /^none$/ },
  {
    name: 'a missing log',
    harm: (path) => rmSync(`${path}-wal`),
    problem: /ends at revision 400, but revision 500 was written: 100 writes are missing/,
  },
  {
    name: 'a log that was cut off',
    harm: (path) => truncateSync(`${path}-wal`, 6 * 4120),
    problem: /but revision 500 was written/,
  },
  {
    name: 'a log with a hole',
    harm: (path) => fill(`${path}-wal`, 5 * 4120, 6 * 4120),
    problem: /but revision 500 was written/,
  },
  {
    name: 'a record that is gone',
    harm: (path) => edit(path, 'DELETE FROM records WHERE revision = 321'),
    problem: /records between revision 320 and revision 322 are missing/,
  },
  {
    name: 'a record that is gone from below the mark',
    harm: (path) => edit(path, 'DELETE FROM records WHERE revision = 20'),
    problem: /of 47 records up to revision 50 only 46/,
  },
  {
    name: 'a text that was changed',
    harm: (path) => edit(path, `UPDATE records SET json = replace(json, 'xxx', 'xyx') WHERE revision = 7`),
    problem: /revision 7 \(\/configmaps default\/c7\) does not match its checksum/,
  },
  {
    name: 'a record that was put in the place of another',
    harm: (path) =>
      edit(
        path,
        `DELETE FROM records WHERE revision = 30; INSERT INTO records SELECT 30, resource, key, deleted, written, previous, digest, json FROM records WHERE revision = 31`,
      ),
    problem: /revision 30 .* does not match its checksum/,
  },
  {
    name: 'a mark that was changed',
    harm: (path) => edit(path, 'UPDATE mark SET revision = 40'),
    problem: /compaction mark does not match its checksum/,
  },
  {
    name: 'a missing mark',
    harm: (path) => edit(path, 'DELETE FROM mark'),
    problem: /lost its compaction mark/,
  },
  { name: 'a missing head', harm: (path) => rmSync(`${path}-head`), problem: /objects\.db-head is missing/ },
  {
    name: 'a head full of zeros',
    harm: (path) => fill(`${path}-head`, 0, 1024),
    problem: /objects\.db-head is damaged/,
  },
  {
    name: 'a missing file',
    harm: (path) => {
      rmSync(path);
      rmSync(`${path}-wal`);
    },
    problem: /missing or empty/,
  },
  { name: 'an empty file', harm: (path) => truncateSync(path, 0), problem: /damaged/ },
])('at start it finds $name', ({ harm, problem }) => {
  using dir = tempDir();
  const path = killedServer(dir.path);
  harm(path);
  expect(problemOf(path)).toMatch(problem);
});

test('a log that is damaged is still there after the file was refused', () => {
  using dir = tempDir();
  const path = killedServer(dir.path);
  fill(`${path}-wal`, 5 * 4120, 6 * 4120);
  const before = readFileSync(`${path}-wal`);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(problemOf(path)).toMatch(/writes are missing/);
    expect(readFileSync(`${path}-wal`).equals(before)).toBe(true);
  }
  expect(readdirSync(dir.path).filter((name) => name.includes('kept'))).toEqual([]);
});

test('whichever half page is full of zeros, it is found, by the start and by the check', () => {
  using dir = tempDir();
  const source = killedServer(dir.path);
  // Everything in one file, as after an orderly end.
  openSqliteJournal(source).close();
  const pages = readFileSync(source).length / 4096;
  const unnoticed: string[] = [];
  for (let half = 0; half < pages * 2; half += 1) {
    const path = join(dir.path, `${half}.db`);
    copyJournal(source, path);
    const isHarmed = readFileSync(path)
      .subarray(half * 2048, half * 2048 + 2048)
      .some((byte) => byte !== 0);
    fill(path, half * 2048, half * 2048 + 2048);
    const found = inspectJournal(path);
    if (isHarmed && found.problems.length === 0) unnoticed.push(`check ${half}`);
    // What is salvaged is as it was written, and most of it is there unless the first pages are hit.
    for (const { revision, json } of found.objects)
      if (json !== row(revision).json) unnoticed.push(`wrong ${revision}`);
    if (half > 6 && found.objects.length < 300)
      unnoticed.push(`only ${found.objects.length} objects at ${half}`);
    if (isHarmed && problemOf(path) === 'none') unnoticed.push(`start ${half}`);
    for (const end of ['', '-wal', '-head']) if (existsSync(path + end)) rmSync(path + end);
  }
  expect(unnoticed.filter((each) => each.startsWith('check'))).toEqual([]);
  expect(unnoticed).toEqual([]);
});
