import type { Instant } from './time.ts';

/** One revision of one object. `json` of a deletion is the object's last state. */
export type Row = {
  readonly revision: number;
  /** `group/plural`, such as `apps/deployments` or `/pods`. */
  readonly resource: string;
  /** `namespace/name`, or `/name` for cluster-scoped objects. */
  readonly key: string;
  readonly deleted: boolean;
  /** When it was written. */
  readonly at: Instant;
  readonly json: string;
};

/** Rows to forget; `compacted` is the revision below which history is gone. */
export type Gone = { readonly revisions: readonly number[]; readonly compacted: number };

/** Why a journal cannot write. */
export type WriteProblem = 'disk-full' | 'disk-error' | 'read-only' | 'damaged';

const writeProblems: Readonly<Record<WriteProblem, string>> = {
  'disk-full': 'the disk is full: free some space',
  'disk-error': 'the disk reports an error: check the disk and the limits of the process',
  'read-only': 'the file system is read-only: make it writable',
  damaged: 'the file is damaged: stop the server and run boathook data check',
};

/** The journal cannot write at present. Nothing of the call is stored; a later one may succeed. */
export class JournalWriteRefused extends Error {
  readonly problem: WriteProblem;
  constructor(problem: WriteProblem, path: string, cause: unknown) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    super(`cannot write ${path}: ${writeProblems[problem]} (${detail})`, { cause });
    this.name = 'JournalWriteRefused';
    this.problem = problem;
  }
}

/**
 * The durable, append-only log of revisions. When `append` returns, the rows are on disk; when it throws, none
 * of them is, and its caller takes the same changes back in memory. What the disk refuses is thrown as
 * `JournalWriteRefused`. All calls are synchronous on purpose:
 * nothing else runs between the change in memory and its durability.
 */
export type Journal = {
  /** Every stored row in the order of revisions, and the highest revision ever given away or compacted. */
  load(): { readonly rows: Iterable<Row>; readonly compacted: number };
  /** The text of a row, while it is stored. */
  read(revision: number): string | undefined;
  /** With `gone`, rows that are no longer needed are removed in the same transaction. */
  append(rows: readonly Row[], gone?: Gone): void;
  /** Forgets rows that nothing needs any more. */
  forget(gone: Gone): void;
  /** Housekeeping that may take a while (checkpoints); called when nothing else is going on. */
  tidy(): void;
  close(): void;
};
