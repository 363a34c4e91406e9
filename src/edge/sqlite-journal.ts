import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Gone, Journal, Row } from '#base/journal.ts';
import { JournalUnusable, orRefused, orUnusable } from './journal-unusable.ts';

/** Kept in the file's user_version. A change of the tables raises it. */
const formatVersion = 1;

/** The log is folded into the file by `tidy` in quiet moments, or here when it passes 64 MB of 4 KB pages. */
const settings = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 16384;
`;

const tables = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS revisions (
    revision INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    key TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS compaction (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO compaction VALUES (1, 0);
  PRAGMA user_version = ${formatVersion};
  COMMIT;
`;

/** One statement writes up to this many rows; fewer statements are what makes a large append cheap. */
const batchSizes = [64, 16, 4, 1];

/**
 * The journal in an SQLite file. It locks the file for its own process. Throws `JournalUnusable` when the
 * file cannot serve; any other failure of a write means that durability is lost.
 */
export function openSqliteJournal(path: string): Journal {
  return orUnusable(path, () => {
    createPrivately(path);
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      prepareFile(database, path);
      return journalOf(database, path);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Objects may hold secrets: nobody else may read the file. The log file inherits the mode. */
function createPrivately(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function prepareFile(database: DatabaseSync, path: string): void {
  database.exec(settings);
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > formatVersion) {
    throw new JournalUnusable(
      'newer',
      path,
      `it has format ${version}, this version of Boathook knows ${formatVersion}`,
    );
  }
  database.exec(tables);
}

function journalOf(database: DatabaseSync, path: string): Journal {
  const insert = appender(database);
  const remove = database.prepare('DELETE FROM revisions WHERE revision = ?');
  const raise = database.prepare('UPDATE compaction SET revision = max(revision, ?)');
  const drop = ({ revisions, compacted }: Gone): void => {
    let below = compacted;
    for (const revision of revisions) {
      remove.run(revision);
      below = Math.max(below, revision);
    }
    raise.run(below);
  };
  return {
    load: () => orUnusable(path, () => load(database, path)),
    append: (rows, gone) =>
      orRefused(path, () => {
        if (gone === undefined) return insert.alone(rows);
        return inTransaction(database, () => {
          insert.inside(rows);
          drop(gone);
        });
      }),
    forget: (gone) => orRefused(path, () => inTransaction(database, () => drop(gone))),
    tidy: () => orRefused(path, () => database.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    close: () => database.close(),
  };
}

function load(database: DatabaseSync, path: string): ReturnType<Journal['load']> {
  const found = database.prepare('SELECT revision FROM compaction').get();
  if (found === undefined) throw new JournalUnusable('damaged', path, 'it has lost its compaction mark');
  const last = Number(database.prepare('SELECT max(revision) AS last FROM revisions').get()?.['last'] ?? 0);
  return {
    rows: { [Symbol.iterator]: () => readRows(database, path, last) },
    compacted: Number(found['revision']),
  };
}

type Stored = [revision: number, resource: string, key: string, deleted: number, json: string];

function* readRows(database: DatabaseSync, path: string, last: number): Generator<Row> {
  const select = database.prepare(
    'SELECT revision, resource, key, deleted, json FROM revisions WHERE revision <= ? ORDER BY revision',
  );
  select.setReturnArrays(true);
  const found = select.iterate(last) as unknown as Iterator<Stored>;
  for (;;) {
    const next = orUnusable(path, () => found.next());
    if (next.done === true) return;
    const [revision, resource, key, deleted, json] = next.value;
    yield { revision, resource, key, deleted: deleted === 1, json };
  }
}

type Appender = {
  /** As a transaction of its own. */
  alone(rows: readonly Row[]): void;
  /** In a transaction that somebody has begun. */
  inside(rows: readonly Row[]): void;
};

function appender(database: DatabaseSync): Appender {
  const statements = batchSizes.map((size) => ({ size, statement: insertOf(database, size) }));
  const inside = (rows: readonly Row[]): void => insertAll(statements, rows);
  return {
    inside,
    alone(rows) {
      // A single statement is a transaction of its own.
      if (batchSizes.includes(rows.length)) inside(rows);
      else if (rows.length > 0) inTransaction(database, () => inside(rows));
    },
  };
}

function insertOf(database: DatabaseSync, size: number): StatementSync {
  const values = Array.from({ length: size }, () => '(?,?,?,?,?)').join(',');
  return database.prepare(`INSERT INTO revisions (revision, resource, key, deleted, json) VALUES ${values}`);
}

type Insert = { readonly size: number; readonly statement: StatementSync };

function insertAll(statements: readonly Insert[], rows: readonly Row[]): void {
  let done = 0;
  for (const { size, statement } of statements) {
    while (rows.length - done >= size) {
      const values: (string | number)[] = [];
      for (let i = done; i < done + size; i++) {
        const row = rows[i];
        if (row !== undefined)
          values.push(row.revision, row.resource, row.key, row.deleted ? 1 : 0, row.json);
      }
      statement.run(...values);
      done += size;
    }
  }
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // SQLite may already have rolled back (disk full): then there is nothing left to undo.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
