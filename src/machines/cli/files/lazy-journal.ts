import type { JournalRecord } from '#machines/decide/progress.ts';
import { systemClock } from '#edge/clock.ts';
import { journalPath, writePlan } from './folders.ts';
import { openJournalFile, type JournalFile } from './journal-file.ts';
import type { Assignment } from './assignment.ts';
import { requestRecord } from './request-record.ts';
import { startedWith } from './started-with.ts';

export type LazyJournal = JournalFile & {
  /** Whether the journal says which operation it is. */
  readonly isBegun: () => boolean;
};

/** The folder of an operation is created with its first record, so that an operation that never starts leaves nothing. */
export function lazyJournal(assignment: Assignment, folder: string): LazyJournal {
  const { id, prepared, request, records, options } = assignment;
  let isBegun = records.length > 0;
  let opened: Promise<JournalFile> | undefined;
  const begin = async (): Promise<JournalFile> => {
    writePlan(folder, prepared.plan);
    const file = openJournalFile(journalPath(folder));
    if (isBegun) return file;
    await file.append({
      type: 'planned',
      at: systemClock.now(),
      id,
      cluster: prepared.plan.cluster,
      operation: prepared.operation,
      request: requestRecord(request),
      startedWith: startedWith(options),
    });
    isBegun = true;
    return file;
  };
  return {
    isBegun: () => isBegun,
    async append(record) {
      if (isEndOfPart(assignment, record)) return;
      try {
        opened ??= begin();
        await (await opened).append(record);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`${journalPath(folder)}: ${why}`, { cause: error });
      }
    },
    async close() {
      // Every append has told why it cannot be opened.
      const file = await opened?.catch(() => undefined);
      await file?.close();
    },
  };
}

const isEndOfPart = ({ part }: Assignment, record: JournalRecord): boolean =>
  part !== undefined && record.type === 'closed' && record.state === 'Succeeded';
