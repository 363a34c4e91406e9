import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Row } from '#base/journal.ts';
import type { Instant } from '#base/time.ts';
import { JournalUnusable } from './journal-unusable.ts';
import { addDigest, formatVersion, tables, type Mark } from './format.ts';
import { placeHead } from './head.ts';
import { inTransaction, rowWriter, writeMark, type Revisions } from './tables.ts';

export type Upgrade = {
  /** The file as it was. */
  readonly copy: string;
  /** Rows that had outlived a later change or the deletion of their object. */
  readonly leftovers: number;
};

/** From format 1, which had no checksums: the file is copied, then rewritten in one transaction. */
export function upgradeFromFormat1(database: DatabaseSync, path: string, now: Instant): Upgrade {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all();
  if (first?.['integrity_check'] !== 'ok')
    throw new JournalUnusable('damaged', path, String(first?.['integrity_check']));
  const copy = keepCopy(database, path);
  const leftovers = inTransaction(database, () => rewrite(database, path, now));
  return { copy, leftovers };
}

function keepCopy(database: DatabaseSync, path: string): string {
  const [copy, draft] = [`${path}.format-1`, `${path}.format-1.tmp`];
  rmSync(draft, { force: true });
  // Objects may hold secrets: only the owner may read the copy. SQLite accepts an empty file.
  closeSync(openSync(draft, 'wx', 0o600));
  database.prepare('VACUUM INTO ?').run(draft);
  const file = openSync(draft, 'r');
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, copy);
  return copy;
}

function rewrite(database: DatabaseSync, path: string, now: Instant): number {
  const compacted = Number(database.prepare('SELECT revision FROM compaction').get()?.['revision'] ?? 0);
  const leftovers = leftoverRows(database, compacted);
  database.exec(tables);
  const writer = rowWriter(database);
  const mark = { revision: compacted, records: 0, sum: 0, head: 0 };
  let last = { revision: compacted, digest: 0 };
  for (const row of format1Rows(database, everything, now)) {
    if (leftovers.has(row.revision)) continue;
    if (!isObject(row.json))
      throw new JournalUnusable(
        'damaged',
        path,
        `revision ${row.revision} (${row.resource} ${row.key}) is no JSON`,
      );
    const digest = writer.write([row], last.digest);
    last = { revision: Math.max(compacted, row.revision), digest };
    if (row.revision <= compacted) count(mark, digest);
  }
  writeMark(database, mark);
  database.exec(`DROP TABLE revisions; DROP TABLE compaction; PRAGMA user_version = ${formatVersion}`);
  // Before the commit: a journal of this format without a head would be refused.
  placeHead(path, last);
  return leftovers.size;
}

function count(mark: { -readonly [Name in keyof Mark]: Mark[Name] }, digest: number): void {
  mark.records += 1;
  mark.sum = addDigest(mark.sum, digest);
  mark.head = digest;
}

/**
 * Earlier versions could compact a part of their rows with the mark of all of them. Then rows remain below the mark
 * that a later row replaces, or that belong to a deletion. Only the newest row of an object counts there.
 */
export function leftoverRows(database: DatabaseSync, compacted: number): ReadonlySet<number> {
  const newest = new Map<string, number>();
  const leftovers = new Set<number>();
  const select = database.prepare(
    'SELECT revision, resource, key, deleted FROM revisions WHERE revision <= ? ORDER BY revision',
  );
  select.setReturnArrays(true);
  for (const found of select.iterate(compacted)) {
    const { revision, resource, key, deleted } = format1Row(found);
    const place = `${resource} ${key}`;
    const before = newest.get(place);
    if (before !== undefined) leftovers.add(before);
    if (deleted) leftovers.add(revision);
    newest.set(place, revision);
  }
  return leftovers;
}

const everything: Revisions = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Format 1 did not store when a row was written: every row gets the time `at`. */
export function* format1Rows(database: DatabaseSync, { from, to }: Revisions, at: Instant): Generator<Row> {
  const select = database.prepare(
    'SELECT revision, resource, key, deleted, json FROM revisions WHERE revision >= ? AND revision <= ? ORDER BY revision',
  );
  select.setReturnArrays(true);
  for (const found of select.iterate(from, to)) {
    yield { ...format1Row(found), at };
  }
}

function format1Row(columns: unknown): Omit<Row, 'at'> {
  const [revision, resource, key, deleted, json] = Array.isArray(columns) ? (columns as unknown[]) : [];
  return {
    revision: Number(revision),
    resource: String(resource),
    key: String(key),
    deleted: deleted === 1,
    json: String(json),
  };
}

export function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
