import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Gone, Row } from '#base/journal.ts';
import {
  addDigest,
  columns,
  markDigest,
  pushColumns,
  rowOfColumns,
  subtractDigest,
  type Head,
  type Mark,
  type SealedRow,
} from './format.ts';

/** One statement writes up to this many rows; fewer statements are what makes a large append cheap. */
const batchSizes = [64, 16, 4, 1];

export type RowWriter = {
  /** Writes rows that follow a digest; returns the digest of the last one. */
  write(rows: readonly Row[], previous: number): number;
  /** A single statement is a transaction of its own. */
  isOneStatement(count: number): boolean;
};

export function rowWriter(database: DatabaseSync): RowWriter {
  const statements = batchSizes.map((size) => ({ size, statement: insertOf(database, size) }));
  return {
    isOneStatement: (count) => batchSizes.includes(count),
    write(rows, previous) {
      let done = 0;
      let digest = previous;
      for (const { size, statement } of statements) {
        for (; rows.length - done >= size; done += size) {
          const values: (string | number)[] = [];
          for (const row of size === rows.length ? rows : rows.slice(done, done + size))
            digest = pushColumns(values, row, digest);
          statement.run(...values);
        }
      }
      return digest;
    },
  };
}

function insertOf(database: DatabaseSync, size: number): StatementSync {
  const values = Array.from({ length: size }, () => '(?,?,?,?,?,?,?,?)').join(',');
  return database.prepare(`INSERT INTO records (${columns}) VALUES ${values}`);
}

/** A range of revisions, both ends included. */
export type Revisions = { readonly from: number; readonly to: number };

/** The rows of a range, in the order of revisions. */
export function* readRows(database: DatabaseSync, { from, to }: Revisions): Generator<SealedRow> {
  const select = database.prepare(
    `SELECT ${columns} FROM records WHERE revision >= ? AND revision <= ? ORDER BY revision`,
  );
  select.setReturnArrays(true);
  for (const found of select.iterate(from, to)) yield rowOfColumns(found);
}

/** Finds one row. */
export function rowReader(database: DatabaseSync): (revision: number) => SealedRow | undefined {
  const select = database.prepare(`SELECT ${columns} FROM records WHERE revision = ?`);
  select.setReturnArrays(true);
  return (revision) => {
    const found: unknown = select.get(revision);
    return found === undefined ? undefined : rowOfColumns(found);
  };
}

export type StoredMark = { readonly mark: Mark; readonly digest: number };

export function readMark(database: DatabaseSync): StoredMark | undefined {
  const found = database.prepare('SELECT revision, records, sum, head, digest FROM mark').get();
  if (found === undefined) return undefined;
  const number = (name: string): number => Number(found[name]);
  const [revision, records, sum] = [number('revision'), number('records'), number('sum')];
  return { mark: { revision, records, sum, head: number('head') }, digest: number('digest') };
}

export function writeMark(database: DatabaseSync, mark: Mark): void {
  database
    .prepare('REPLACE INTO mark (id, revision, records, sum, head, digest) VALUES (1, ?, ?, ?, ?, ?)')
    .run(mark.revision, mark.records, mark.sum, mark.head, markDigest(mark));
}

/** The newest record, or its copy in the mark when it is compacted. */
export function lastOf(database: DatabaseSync, mark: Mark): Head {
  const found = database
    .prepare('SELECT revision, digest FROM records WHERE revision > ? ORDER BY revision DESC LIMIT 1')
    .get(mark.revision);
  if (found === undefined) return { revision: mark.revision, digest: mark.head };
  return { revision: Number(found['revision']), digest: Number(found['digest']) };
}

/** Removes rows and moves the mark. The mark covers every row that is removed, so no revision is used twice. */
export function rowRemover(database: DatabaseSync): (gone: Gone, mark: Mark) => Mark {
  const remove = database.prepare('DELETE FROM records WHERE revision = ? RETURNING digest');
  const between = database.prepare(
    'SELECT revision, digest FROM records WHERE revision > ? AND revision <= ? ORDER BY revision',
  );
  between.setReturnArrays(true);
  return ({ revisions, compacted }, mark) => {
    const revision = revisions.reduce(
      (most, each) => Math.max(most, each),
      Math.max(compacted, mark.revision),
    );
    let { records, sum, head } = mark;
    for (const found of between.iterate(mark.revision, revision)) {
      const digest = secondColumn(found);
      records += 1;
      sum = addDigest(sum, digest);
      head = digest;
    }
    for (const each of revisions) {
      const found = remove.get(each);
      if (found === undefined) continue;
      records -= 1;
      sum = subtractDigest(sum, Number(found['digest']));
    }
    const next = { revision, records, sum, head };
    writeMark(database, next);
    return next;
  };
}

const secondColumn = (row: unknown): number => (Array.isArray(row) ? Number(row[1]) : Number.NaN);

export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite may already have rolled back (disk full): then there is nothing left to undo.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
