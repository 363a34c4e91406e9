import { JournalWriteRefused, type WriteProblem } from '#base/journal.ts';

/** Why a journal's file cannot serve. */
export type JournalFault = 'newer' | 'damaged' | 'in-use' | 'unreachable';

const explanations: Readonly<Record<JournalFault, string>> = {
  newer: 'was written by a newer version of Boathook: use that version, or another data directory',
  damaged:
    'is damaged: run boathook data check to see what is wrong, then restore a backup or run boathook data salvage',
  'in-use': 'is in use by another process: stop that one first, or use another data directory',
  unreachable: 'cannot be opened for reading and writing: check its permissions and the free space',
};

/** The journal's file cannot be used. The message is one sentence for the person at the terminal. */
export class JournalUnusable extends Error {
  readonly trouble: JournalFault;
  readonly path: string;
  constructor(trouble: JournalFault, path: string, detail: string, cause?: unknown) {
    super(`The journal ${path} ${explanations[trouble]} (${detail}).`, { cause });
    this.name = 'JournalUnusable';
    this.trouble = trouble;
    this.path = path;
  }
}

/** SQLite's primary result codes, by what they mean for the person who starts the server. */
const troubleOfCode: Readonly<Record<number, JournalFault>> = {
  5: 'in-use',
  6: 'in-use',
  3: 'unreachable',
  8: 'unreachable',
  10: 'unreachable',
  13: 'unreachable',
  14: 'unreachable',
  23: 'unreachable',
  1: 'damaged',
  11: 'damaged',
  26: 'damaged',
};

/** Runs `work`; a refusal of SQLite or of the file system becomes a `JournalUnusable`. */
export function orUnusable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof JournalUnusable) throw error;
    const trouble = troubleOf(error);
    if (trouble === undefined) throw error;
    throw new JournalUnusable(trouble, path, error.message, error);
  }
}

function troubleOf(error: Error): JournalFault | undefined {
  if ('errcode' in error) return troubleOfCode[Number(error.errcode) & 0xff];
  if (isOutOfRange(error)) return 'damaged';
  return 'syscall' in error ? 'unreachable' : undefined;
}

/** We never store numbers that Node cannot read. */
const isOutOfRange = (error: Error): boolean => 'code' in error && error.code === 'ERR_OUT_OF_RANGE';

/** SQLite could not read the requested rows. */
export const isSqliteError = (error: unknown): error is Error =>
  error instanceof Error && ('errcode' in error || isOutOfRange(error));

/** SQLite's primary result codes, by what they mean for a server that is running. */
const problemOfCode: Readonly<Record<number, WriteProblem>> = {
  8: 'read-only',
  10: 'disk-error',
  11: 'damaged',
  13: 'disk-full',
  14: 'disk-error',
  26: 'damaged',
};

/** Runs `work`; what the disk refuses becomes a `JournalWriteRefused`. */
export function orRefused<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem =
      error instanceof Error && 'errcode' in error ? problemOfCode[Number(error.errcode) & 0xff] : undefined;
    throw problem === undefined ? error : new JournalWriteRefused(problem, path, error);
  }
}
