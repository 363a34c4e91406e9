import { isSqliteError } from './journal-unusable.ts';
import type { Revisions } from './tables.ts';

/** So many refusals of SQLite are enough to give up what is left. */
const mostRefusals = 20_000;

/**
 * Reads every row of a damaged table that can be read: where a scan stops, what follows is read by halves.
 * Returns the ranges that cannot be read. Revisions that were compacted away may lie in them.
 */
export function readableRows<T extends { readonly revision: number }>(
  read: (range: Revisions) => Iterable<T>,
  whole: Revisions,
  take: (row: T) => void,
): readonly Revisions[] {
  const lost: Revisions[] = [];
  let refusals = 0;
  const lose = (range: Revisions): void => {
    const before = lost.at(-1);
    if (before?.to === range.from - 1) lost[lost.length - 1] = { from: before.from, to: range.to };
    else lost.push(range);
  };
  const walk = ({ from, to }: Revisions): void => {
    let next = from;
    try {
      for (const row of read({ from, to })) {
        take(row);
        next = row.revision + 1;
      }
      return;
    } catch (error) {
      if (!isSqliteError(error)) throw error;
    }
    refusals += 1;
    if (next > to) return;
    if (next === to || refusals > mostRefusals) return lose({ from: next, to });
    const middle = Math.floor((next + to) / 2);
    walk({ from: next, to: middle });
    walk({ from: middle + 1, to });
  };
  walk(whole);
  return lost;
}
