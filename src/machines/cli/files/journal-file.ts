import type { JournalRecord } from '#machines/decide/progress.ts';
import { openOperationJournal, readOperationJournal } from '#edge/operation-journal.ts';

import { ownRecord } from './own-record.ts';

export type JournalFile = {
  /** Settles when the record is on the disk. Records that wait together share one fsync. */
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
};

export const readJournal = (path: string): readonly JournalRecord[] =>
  // Only records are ever appended.
  ownRecord(path, () => readOperationJournal(path) as readonly JournalRecord[]);

export function openJournalFile(path: string): JournalFile {
  // A damaged file has an error of its own; one that cannot be opened may be for lack of space.
  readJournal(path);
  return openOperationJournal<JournalRecord>(path);
}
