import type { OverviewKind, OverviewRow } from '#web/wire/overview.ts';

/** What the user looks for. */
export type RowFilter = {
  /** Words, each of which must be in a name, namespace, kind, phase, image or label (`app=web`). */
  readonly text: string;
  readonly kind: OverviewKind | '';
  readonly namespace: string;
  readonly phase: string;
};

export const noFilter: RowFilter = { text: '', kind: '', namespace: '', phase: '' };

export const isFiltering = (filter: RowFilter): boolean =>
  filter.text.trim() !== '' || filter.kind !== '' || filter.namespace !== '' || filter.phase !== '';

export function filterRows(rows: readonly OverviewRow[], filter: RowFilter): readonly OverviewRow[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter(
    (row) =>
      (filter.kind === '' || row.kind === filter.kind) &&
      (filter.namespace === '' || row.namespace === filter.namespace) &&
      (filter.phase === '' || row.phase === filter.phase) &&
      words.every((word) => hasWord(row, word)),
  );
}

const hasWord = (row: OverviewRow, word: string): boolean =>
  [row.name, row.namespace, row.objectKind, row.phase, row.reason, ...(row.images ?? [])].some((text) =>
    text.toLowerCase().includes(word),
  ) || Object.entries(row.labels).some(([name, value]) => `${name}=${value}`.toLowerCase().includes(word));

/** What needs a user first, then failures, then the newest. */
export const sortRows = (rows: Iterable<OverviewRow>): readonly OverviewRow[] =>
  [...rows].sort(
    (left, right) =>
      rank(left) - rank(right) ||
      (left.created < right.created ? 1 : left.created > right.created ? -1 : left.key < right.key ? -1 : 1),
  );

const rank = (row: OverviewRow): number => (row.needsUser ? 0 : row.isFailed ? 1 : 2);

export type PhaseCount = { readonly phase: string; readonly count: number };

/** Number of rows by phase, the largest first. */
export function countPhases(rows: Iterable<OverviewRow>): readonly PhaseCount[] {
  const counts = new Map<string, number>();
  for (const { phase } of rows) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  return [...counts]
    .map(([phase, count]) => ({ phase, count }))
    .sort((left, right) => right.count - left.count || (left.phase < right.phase ? -1 : 1));
}
