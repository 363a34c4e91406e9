import { addDigest, digestOf, markDigest, type Head, type Mark, type SealedRow } from './format.ts';

/** A record that is not as it was written, or one that is while records before it are not. */
export type RecordProblem = { readonly isTrusted: boolean; readonly text: string };

/** Finds what is wrong with the records of a journal. They are handed over in the order of revisions. */
export class JournalVerifier {
  readonly #mark: Mark;
  #records = 0;
  #sum = 0;
  #last: Head;

  constructor(mark: Mark) {
    this.#mark = mark;
    this.#last = { revision: mark.revision, digest: mark.head };
  }

  /** What is wrong with a record, or with its place after the one before. */
  problemOf(row: SealedRow): RecordProblem | undefined {
    const text = recordProblem(row);
    if (text !== undefined) {
      this.#last = { revision: row.revision, digest: row.digest };
      return { isTrusted: false, text };
    }
    if (row.revision <= this.#mark.revision) {
      this.#records += 1;
      this.#sum = addDigest(this.#sum, row.digest);
      return undefined;
    }
    const { revision, digest } = this.#last;
    this.#last = row;
    if (row.previous === digest) return undefined;
    const gap = `records between revision ${revision} and revision ${row.revision} are missing or were replaced`;
    return { isTrusted: true, text: gap };
  }

  /** What is wrong with all of them together. */
  problemAtEnd(): string | undefined {
    const { revision, records, sum } = this.#mark;
    if (this.#records === records && this.#sum === sum) return undefined;
    return `of ${records} records up to revision ${revision} only ${this.#records} are as they were written`;
  }
}

/** What is wrong with a record by itself. */
export const recordProblem = (row: SealedRow): string | undefined =>
  digestOf(row, row.previous) === row.digest
    ? undefined
    : `revision ${row.revision} (${row.resource} ${row.key}) does not match its checksum`;

export const markProblem = (mark: Mark, digest: number): string | undefined =>
  markDigest(mark) === digest ? undefined : 'the compaction mark does not match its checksum';

/** Whether the journal reaches as far as it once did. */
export function headProblem(head: Head, last: Head): string | undefined {
  if (last.revision < head.revision)
    return (
      `it ends at revision ${last.revision}, but revision ${head.revision} was written: ` +
      `${head.revision - last.revision} writes are missing, perhaps with the file objects.db-wal`
    );
  if (last.revision === head.revision && last.digest !== head.digest)
    return `revision ${last.revision} is not the one that was written`;
  return undefined;
}
