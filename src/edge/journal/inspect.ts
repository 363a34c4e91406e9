import { DatabaseSync } from 'node:sqlite';
import type { Row } from '#base/journal.ts';
import { instant } from '#base/time.ts';
import { isSqliteError } from './journal-unusable.ts';
import { firstMark, formatVersion, type Head, type Mark, type SealedRow } from './format.ts';
import { readHead } from './head.ts';
import { readableRows } from './readable-rows.ts';
import { readMark, readRows, type Revisions } from './tables.ts';
import { format1Rows, isObject, leftoverRows } from './upgrade.ts';
import { headProblem, JournalVerifier, markProblem } from './verify.ts';

/** What a journal's file holds, and what is wrong with it. */
export type Inspection = {
  readonly format: number;
  readonly last: Head;
  /** Why it cannot be trusted as a whole. */
  readonly problems: readonly string[];
  /** Rows that earlier versions left behind; they are removed when the file is upgraded. */
  readonly leftovers: number;
  /** The newest state of every object, as far as it can be trusted; deleted objects are left out. */
  readonly objects: readonly Row[];
};

/** Reads a copy of a journal as far as it can be read. Never an original: SQLite may fold its log into it. */
export function inspectJournal(copy: string): Inspection {
  try {
    const database = new DatabaseSync(copy, { timeout: 0 });
    try {
      return inspectOpen(database, copy);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return { ...unreadable, problems: [error.message] };
  }
}

const unreadable = { format: 0, last: { revision: 0, digest: 0 }, leftovers: 0, objects: [] };

function inspectOpen(database: DatabaseSync, path: string): Inspection {
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const format = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (format > formatVersion) {
    const text = `it has format ${format}, this version of Boathook supports ${formatVersion}`;
    return { ...unreadable, format, problems: [text] };
  }
  const problems = [...pageProblems(database)];
  return format === 1 ? inspectFormat1(database, problems) : inspectRecords(database, path, problems);
}

const mostPageProblems = 5;

function pageProblems(database: DatabaseSync): readonly string[] {
  const found = orRefusal(() => database.prepare(`PRAGMA integrity_check(${mostPageProblems})`).all());
  if (found instanceof Error) return [found.message];
  return found.map((each) => String(each['integrity_check'])).filter((text) => text !== 'ok');
}

/** The refusal of SQLite as a value. */
function orRefusal<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    if (isSqliteError(error)) return error;
    throw error;
  }
}

function inspectRecords(database: DatabaseSync, path: string, problems: string[]): Inspection {
  const head = readHead(path);
  const mark = trustedMark(database, problems);
  const verifier = new JournalVerifier(mark ?? firstMark);
  const trusted: SealedRow[] = [];
  const lost = readableRows(
    (range) => readRows(database, range),
    { from: 1, to: lastRevision(database, 'records', typeof head === 'object' ? head.revision : 0) },
    (row) => {
      const problem = verifier.problemOf(row);
      // Without a mark the start of the chain is unknown.
      if (problem !== undefined && (mark !== undefined || !problem.isTrusted)) problems.push(problem.text);
      if (problem?.isTrusted !== false) trusted.push(row);
    },
  );
  problems.push(...lost.map(unreadableText));
  const atEnd = mark === undefined ? undefined : verifier.problemAtEnd();
  if (atEnd !== undefined) problems.push(atEnd);
  const last = lastTrusted(trusted, mark);
  const end = typeof head === 'object' ? headProblem(head, last) : `the file ${path}-head is ${head}`;
  if (end !== undefined && (last.revision > 0 || typeof head === 'object')) problems.push(end);
  return { format: formatVersion, last, problems, leftovers: 0, objects: newestStates(trusted) };
}

function trustedMark(database: DatabaseSync, problems: string[]): Mark | undefined {
  const stored = orRefusal(() => readMark(database));
  if (stored === undefined || stored instanceof Error) {
    problems.push(`the compaction mark cannot be read${stored === undefined ? '' : `: ${stored.message}`}`);
    return undefined;
  }
  const problem = markProblem(stored.mark, stored.digest);
  if (problem === undefined) return stored.mark;
  problems.push(problem);
  return undefined;
}

function lastTrusted(trusted: readonly SealedRow[], mark: Mark = firstMark): Head {
  const newest = trusted.at(-1);
  return newest !== undefined && newest.revision > mark.revision
    ? { revision: newest.revision, digest: newest.digest }
    : { revision: mark.revision, digest: mark.head };
}

/** Damage may hide the end of the table: the head file counts as well. */
function lastRevision(database: DatabaseSync, table: 'records' | 'revisions', atLeast: number): number {
  const found = orRefusal(() => database.prepare(`SELECT max(revision) AS last FROM ${table}`).get());
  return Math.max(atLeast, found instanceof Error ? 0 : Number(found?.['last'] ?? 0));
}

const unreadableText = ({ from, to }: Revisions): string =>
  from === to ? `revision ${from} cannot be read` : `revisions ${from} to ${to} cannot be read`;

/** Format 1 has no checksums: a row is trusted when it is the JSON of an object. */
function inspectFormat1(database: DatabaseSync, problems: string[]): Inspection {
  const trusted: Row[] = [];
  const lost = readableRows(
    (range) => format1Rows(database, range, instant(Date.now())),
    { from: 1, to: lastRevision(database, 'revisions', 0) },
    (row) => {
      if (isObject(row.json)) trusted.push(row);
      else problems.push(`revision ${row.revision} (${row.resource} ${row.key}) is no JSON`);
    },
  );
  problems.push(...lost.map(unreadableText));
  const compacted = orRefusal(() => database.prepare('SELECT revision FROM compaction').get()?.['revision']);
  if (compacted instanceof Error) problems.push(`the compaction mark cannot be read: ${compacted.message}`);
  const mark = compacted instanceof Error ? 0 : Number(compacted ?? 0);
  const leftovers = orRefusal(() => leftoverRows(database, mark).size);
  return {
    format: 1,
    last: { revision: Math.max(mark, trusted.at(-1)?.revision ?? 0), digest: 0 },
    problems,
    leftovers: leftovers instanceof Error ? 0 : leftovers,
    objects: newestStates(trusted),
  };
}

function newestStates(rows: readonly Row[]): readonly Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows) newest.set(`${row.resource} ${row.key}`, row);
  return [...newest.values()]
    .filter(({ deleted }) => !deleted)
    .toSorted((left, right) => left.revision - right.revision);
}
