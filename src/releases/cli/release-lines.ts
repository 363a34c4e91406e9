import type { Instant } from '#base/time.ts';
import { fittedLine, styled, type StyledLine } from '#command/styled-line.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import { headerLines } from './header-lines.ts';
import { treeLines } from './tree-lines.ts';

export type ReleaseLayout = { readonly columns: number; readonly now: Instant; readonly isWide: boolean };

/** Pods of a revision that are shown unless all are wanted. */
const usualPods = 20;

/** A release as `release get` prints it. */
export function releaseLines(
  view: ReleaseView,
  layout: ReleaseLayout,
  mostPods: number = layout.isWide ? Infinity : usualPods,
): readonly StyledLine[] {
  const { columns, now } = layout;
  const header = headerLines(view, now, columns).map((line) => fittedLine(line, columns));
  return [...header, [], ...treeLines(view, { ...layout, mostPods })];
}

/** The same for a screen: with as many pods as fit, and never more lines than it has rows. */
export function frameLines(view: ReleaseView, layout: ReleaseLayout, rows: number): readonly StyledLine[] {
  for (const most of [rows, ...[50, 20, 10, 5, 3, 2, 1].filter((each) => each < rows)]) {
    const lines = releaseLines(view, layout, most);
    if (lines.length <= rows) return lines;
  }
  return cropped(releaseLines(view, layout, 0), layout.columns, rows);
}

/** The first lines, and how many are missing. */
function cropped(lines: readonly StyledLine[], columns: number, rows: number): readonly StyledLine[] {
  if (lines.length <= rows) return lines;
  const shown = Math.max(0, rows - 1);
  const note = styled(`… ${lines.length - shown} more lines: the terminal has ${rows} rows`, 'faint');
  return [...lines.slice(0, shown), fittedLine([note], columns)];
}
