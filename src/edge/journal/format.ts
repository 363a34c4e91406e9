import { crc32 } from 'node:zlib';
import type { Row } from '#base/journal.ts';
import { instant } from '#base/time.ts';

/** Kept in the file's user_version. A change of the tables raises it. */
export const formatVersion = 2;

/** Small columns come first, so that they are read without the pages of a long text. */
export const tables = `
  CREATE TABLE records (
    revision INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    key TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    written INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE TABLE mark (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL,
    records INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    head INTEGER NOT NULL,
    digest INTEGER NOT NULL
  ) STRICT;
`;

/** A row with its checksum, which covers the checksum of the row before it. */
export type SealedRow = Row & { readonly previous: number; readonly digest: number };

/**
 * The compaction mark. At and below `revision` the journal holds so many records, whose digests add up to `sum`.
 * Above it the records form a chain that begins at `head`.
 */
export type Mark = {
  readonly revision: number;
  readonly records: number;
  readonly sum: number;
  readonly head: number;
};

export const firstMark: Mark = { revision: 0, records: 0, sum: 0, head: 0 };

/** The newest record: its revision and its digest. */
export type Head = { readonly revision: number; readonly digest: number };

export function digestOf(row: Row, previous: number): number {
  const { revision, resource, key, deleted, at, json } = row;
  return crc32(json, crc32(`${previous} ${revision} ${resource} ${key} ${deleted ? 1 : 0} ${at} `));
}

export const markDigest = ({ revision, records, sum, head }: Mark): number =>
  crc32(`mark ${revision} ${records} ${sum} ${head}`);

/** Sums stay within what a number holds exactly. */
const sumLimit = 2 ** 48;
export const addDigest = (sum: number, digest: number): number => (sum + digest) % sumLimit;
export const subtractDigest = (sum: number, digest: number): number => (sum - digest + sumLimit) % sumLimit;

export const columns = 'revision, resource, key, deleted, written, previous, digest, json';

/** Damage may put anything in any column: what is not of its type does not match the checksum either. */
export function rowOfColumns(found: unknown): SealedRow {
  const [revision, resource, key, deleted, written, previous, digest, json] = found as readonly unknown[];
  return {
    revision: Number(revision),
    resource: textOf(resource),
    key: textOf(key),
    deleted: deleted === 1,
    at: instant(Number(written)),
    previous: Number(previous),
    digest: Number(digest),
    json: textOf(json),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Adds the values of a row to those of a statement; returns the digest of the row. */
export function pushColumns(values: (string | number)[], row: Row, previous: number): number {
  const digest = digestOf(row, previous);
  values.push(row.revision, row.resource, row.key, row.deleted ? 1 : 0, row.at, previous, digest, row.json);
  return digest;
}
