import type { Instant } from '#base/time.ts';
import { columnLines } from '#command/columns.ts';
import { plain, styled, type StyledLine, type StyledText } from '#command/styled-line.ts';
import type { ReleaseSummary } from '#releases/decide/view/release-summary.ts';
import { ageText, hasShortImages, imagesText, shortTitle, stepText, whyText } from './release-words.ts';
import { toneOf } from './tone.ts';

export type ListLayout = {
  readonly columns: number;
  readonly now: Instant;
  readonly isWide: boolean;
  readonly hasNamespaces: boolean;
};

/** Releases as a table, one line for each. */
export function listLines(releases: readonly ReleaseSummary[], layout: ListLayout): readonly StyledLine[] {
  const { columns, hasNamespaces, isWide } = layout;
  const header = [
    ...(hasNamespaces ? ['NAMESPACE'] : []),
    'NAME',
    'PHASE',
    'STEP',
    'READY',
    ...(isWide ? ['UPDATED'] : []),
    'IMAGES',
    'AGE',
    'REASON',
  ].map((text): StyledText => ({ text, tone: 'faint' }));
  const rows = releases.map((release) => rowOf(release, layout));
  const at = (name: string): number => header.findIndex(({ text }) => text === name);
  return columnLines([header, ...rows], {
    columns: isWide ? Infinity : columns,
    narrowing: [
      [at('REASON'), 24],
      [at('IMAGES'), 12],
      [at('REASON'), 6],
      [at('NAME'), 12],
      ...(hasNamespaces ? ([[at('NAMESPACE'), 8]] as const) : []),
    ],
  });
}

function rowOf(release: ReleaseSummary, layout: ListLayout): readonly StyledText[] {
  const { now, hasNamespaces, isWide, columns } = layout;
  const { phase, replicas, images, created, namespace } = release;
  return [
    ...(hasNamespaces ? [plain(namespace)] : []),
    plain(shortTitle(release)),
    styled(phase, toneOf(phase)),
    plain(stepText(release) || '-'),
    plain(`${replicas.ready}/${replicas.desired}`),
    ...(isWide ? [plain(String(replicas.updated))] : []),
    plain(imagesText(images, !isWide && hasShortImages(columns))),
    plain(ageText(created, now)),
    plain(whyText(release)),
  ];
}

const ranks: Readonly<Record<string, number>> = { Blocked: 0, Paused: 1, Progressing: 2, Pending: 3 };

/** By namespace and name. */
export const inOrder = (releases: readonly ReleaseSummary[]): readonly ReleaseSummary[] =>
  releases.toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1));

const placeOf = ({ namespace, name, kind }: ReleaseSummary): string => `${namespace} ${name} ${kind}`;

/** The lines for a screen. Where not all fit, releases that are blocked, paused or in progress come first. */
export function listFrame(
  releases: readonly ReleaseSummary[],
  layout: ListLayout,
  rows: number,
): readonly StyledLine[] {
  const sorted = inOrder(releases);
  if (sorted.length < rows) return listLines(sorted, layout);
  const urgent = sorted.toSorted((left, right) => (ranks[left.phase] ?? 9) - (ranks[right.phase] ?? 9));
  const shown = urgent.slice(0, Math.max(0, rows - 2));
  const note = `… and ${releases.length - shown.length} more`;
  return [...listLines(shown, layout), [styled(note, 'faint')]];
}
