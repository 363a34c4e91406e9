import { openSqliteJournal } from './sqlite-journal.ts';
import type { Row } from '#base/journal.ts';

/** Far above every revision that was used, so that none is used twice. */
const revisionGap = 1_000_000;

/** Writes a new journal that holds these objects and no history. Returns the revision that it begins with. */
export function writeSnapshot(path: string, objects: readonly Row[], last: number): number {
  const revision = last + revisionGap;
  const journal = openSqliteJournal(path);
  journal.append(objects);
  journal.forget({ revisions: [], compacted: revision });
  journal.tidy();
  journal.close();
  return revision;
}
