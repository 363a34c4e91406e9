import type { OverviewRow } from '#web/wire/overview.ts';

/** More rows are not sent. */
export const mostRows = 5000;

const rank = ({ needsUser, isFailed, kind }: OverviewRow): number => {
  if (needsUser) return 0;
  if (isFailed) return 1;
  // There are many runs of the past: they come after everything else.
  return kind === 'hookrun' ? 3 : 2;
};

/** What needs a user first, then the newest. */
export function inOrder(rows: readonly OverviewRow[]): readonly OverviewRow[] {
  return rows.toSorted((left, right) => {
    const byRank = rank(left) - rank(right);
    if (byRank !== 0) return byRank;
    if (left.created !== right.created) return left.created < right.created ? 1 : -1;
    return left.key < right.key ? -1 : 1;
  });
}
