import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Gone, Journal, Row } from '#base/journal.ts';
import { instant } from '#base/time.ts';
import { firstMark, formatVersion, tables, type Head, type Mark } from './format.ts';
import { HeadFile, headPath, placeHead, readHead } from './head.ts';
import { keepLog } from './kept-log.ts';
import {
  inTransaction,
  lastOf,
  readMark,
  readRows,
  rowReader,
  rowRemover,
  rowWriter,
  writeMark,
} from './tables.ts';
import { upgradeFromFormat1, type Upgrade } from './upgrade.ts';
import { headProblem, JournalVerifier, markProblem, recordProblem } from './verify.ts';
import { JournalUnusable, orRefused, orUnusable } from './journal-unusable.ts';

/** The log is folded into the file by `tidy` in quiet moments, or here when it passes 64 MB of 4 KB pages. */
const settings = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 16384;
`;

export type JournalOptions = {
  /** Called when the file had an older format. */
  readonly onUpgrade?: (upgrade: Upgrade) => void;
};

/**
 * The journal in an SQLite file. It locks the file for its own process. Throws `JournalUnusable` when the
 * file cannot serve; any other failure of a write means that durability is lost.
 */
export function openSqliteJournal(path: string, options: JournalOptions = {}): Journal {
  return orUnusable(path, () => {
    createFiles(path);
    const database = new DatabaseSync(path, { timeout: 0 });
    const log = keepLog(path);
    try {
      prepareFile(database, path, options);
      const journal = journalOf(database, path);
      log.drop();
      return journal;
    } catch (error) {
      database.close();
      log.restore();
      throw error;
    }
  });
}

/** Objects may hold secrets: only the owner may read the files. The log file inherits the mode. */
function createFiles(path: string): void {
  if (existsSync(path) && (statSync(path).size > 0 || existsSync(`${path}-wal`))) return;
  const head = readHead(path);
  // First the head, so that a journal without one is always a journal that has lost it.
  if (head === 'missing') placeHead(path, { revision: 0, digest: 0 });
  else if (head === 'damaged' || head.revision > 0)
    throw new JournalUnusable('damaged', path, 'it is missing or empty, but objects were written to it');
  closeSync(openSync(path, 'a', 0o600));
}

function prepareFile(database: DatabaseSync, path: string, { onUpgrade }: JournalOptions): void {
  database.exec(settings);
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > formatVersion) {
    throw new JournalUnusable(
      'newer',
      path,
      `it has format ${version}, this version of Boathook supports ${formatVersion}`,
    );
  }
  if (version === 1) {
    const upgrade = upgradeFromFormat1(database, path, instant(Date.now()));
    onUpgrade?.(upgrade);
  }
  if (version === 0) inTransaction(database, () => createTables(database));
}

function createTables(database: DatabaseSync): void {
  database.exec(tables);
  writeMark(database, firstMark);
  database.exec(`PRAGMA user_version = ${formatVersion}`);
}

type State = { mark: Mark; last: Head };

function journalOf(database: DatabaseSync, path: string): Journal {
  const state = openState(database, path);
  const writer = rowWriter(database);
  const remove = rowRemover(database);
  const find = rowReader(database);
  const head = new HeadFile(path, state.last);
  const add = (rows: readonly Row[]): Head => {
    const digest = writer.write(rows, state.last.digest);
    return { revision: rows.at(-1)?.revision ?? state.last.revision, digest };
  };
  return {
    load: () => orUnusable(path, () => load(database, path, state)),
    read(revision) {
      const row = find(revision);
      if (row !== undefined) refuse(path, recordProblem(row));
      return row?.json;
    },
    append(rows, gone) {
      if (rows.length === 0 && gone === undefined) return;
      orRefused(path, () => {
        if (gone === undefined && writer.isOneStatement(rows.length)) state.last = add(rows);
        else
          Object.assign(
            state,
            inTransaction(database, () => addAndRemove(rows, gone)),
          );
      });
      head.advance(state.last);
    },
    forget: (gone) =>
      orRefused(path, () => {
        state.mark = inTransaction(database, () => remove(gone, state.mark));
      }),
    tidy: () =>
      orRefused(path, () => {
        database.exec('PRAGMA wal_checkpoint(PASSIVE)');
        head.sync();
      }),
    close() {
      head.close();
      database.close();
    },
  };

  function addAndRemove(rows: readonly Row[], gone: Gone | undefined): State {
    const last = add(rows);
    return { last, mark: gone === undefined ? state.mark : remove(gone, state.mark) };
  }
}

/** Reads how far the journal reaches, and compares it with how far it has reached before. */
function openState(database: DatabaseSync, path: string): State {
  const stored = readMark(database);
  if (stored === undefined) throw new JournalUnusable('damaged', path, 'it has lost its compaction mark');
  refuse(path, markProblem(stored.mark, stored.digest));
  const { mark } = stored;
  const last = lastOf(database, mark);
  const head = readHead(path);
  if (typeof head === 'object') refuse(path, headProblem(head, last));
  else if (last.revision > 0) refuse(path, `the file ${headPath(path)} is ${head}`);
  else placeHead(path, last);
  return { mark, last };
}

function refuse(path: string, problem: string | undefined): void {
  if (problem !== undefined) throw new JournalUnusable('damaged', path, problem);
}

function load(database: DatabaseSync, path: string, { mark, last }: State): ReturnType<Journal['load']> {
  return {
    rows: { [Symbol.iterator]: () => verifiedRows(database, path, mark, last.revision) },
    compacted: mark.revision,
  };
}

/** The rows, each compared with its checksum before it is used; at the end all of them together. */
function* verifiedRows(database: DatabaseSync, path: string, mark: Mark, last: number): Generator<Row> {
  const verifier = new JournalVerifier(mark);
  const rows = readRows(database, { from: 0, to: last });
  for (;;) {
    const next = orUnusable(path, () => rows.next());
    if (next.done === true) return refuse(path, verifier.problemAtEnd());
    const { revision, resource, key, deleted, at, json } = next.value;
    refuse(path, verifier.problemOf(next.value)?.text);
    yield { revision, resource, key, deleted, at, json };
  }
}
