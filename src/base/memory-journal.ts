import type { Journal, Row } from './journal.ts';

/** A journal that forgets everything with its owner: for tests and simulations. */
export function memoryJournal(): Journal {
  const stored = new Map<number, Row>();
  let compacted = 0;
  const forget: Journal['forget'] = ({ revisions, compacted: below }) => {
    compacted = Math.max(compacted, below);
    for (const revision of revisions) {
      if (!stored.delete(revision)) continue;
      compacted = Math.max(compacted, revision);
    }
  };
  return {
    load: () => ({ rows: [...stored.values()], compacted }),
    read: (revision) => stored.get(revision)?.json,
    append(rows, gone) {
      for (const row of rows) stored.set(row.revision, row);
      if (gone !== undefined) forget(gone);
    },
    forget,
    tidy: () => undefined,
    close: () => undefined,
  };
}
