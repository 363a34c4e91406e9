import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { openJournalFile, readJournal } from './journal-file.ts';

const record = (run: string): JournalRecord => ({ type: 'opened', at: instant(1), run });

test('records come back in their order, also those that were written together', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'deep', 'journal.jsonl');
  expect(readJournal(path)).toEqual([]);
  const journal = openJournalFile(path);
  const runs = Array.from({ length: 100 }, (_, at) => String(at));
  await Promise.all(runs.map((run) => journal.append(record(run))));
  await journal.close();
  expect(readJournal(path)).toEqual(runs.map(record));
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a line that a crash cut short is dropped, and what comes after it is whole', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'journal.jsonl');
  const first = openJournalFile(path);
  await first.append(record('1'));
  await first.close();
  appendFileSync(path, '{"type":"inten');
  expect(readJournal(path)).toEqual([record('1')]);
  const second = openJournalFile(path);
  await second.append(record('2'));
  await second.close();
  expect(readJournal(path)).toEqual([record('1'), record('2')]);
  expect(readFileSync(path, 'utf8')).not.toContain('inten');
});

test('a line that was damaged since is named, and nothing is changed', () => {
  using folder = tempDir();
  const path = join(folder.path, 'journal.jsonl');
  const damaged = '{"type":"opened"}\n{"type\n{"type":"closed"}\n';
  appendFileSync(path, damaged);
  const said = /journal\.jsonl cannot be read: line 2 is no JSON\. Restore it/;
  expect(() => readJournal(path)).toThrow(said);
  expect(() => openJournalFile(path)).toThrow(said);
  expect(readFileSync(path, 'utf8')).toBe(damaged);
});
