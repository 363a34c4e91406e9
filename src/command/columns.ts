import { textWidth } from '#base/text-width.ts';
import { fittedLine, widthOf, type StyledLine, type StyledText } from './styled-line.ts';

const gap = 2;

export type ColumnsLayout = {
  /** Columns of the terminal; Infinity where there is no limit. */
  readonly columns: number;
  /** Which columns give way, in this order, and down to which width: `[index, least]`. */
  readonly narrowing: readonly (readonly [number, number])[];
};

/** Rows of cells as lines: each column as wide as its widest cell, less what is needed to fit. */
export function columnLines(
  rows: readonly (readonly StyledText[])[],
  { columns, narrowing }: ColumnsLayout,
): readonly StyledLine[] {
  const widths = columnWidths(rows, { columns, narrowing });
  return rows.map((row) => fittedLine(rowLine(row, widths), columns));
}

export function columnWidths(
  rows: readonly (readonly StyledText[])[],
  { columns, narrowing }: ColumnsLayout,
): readonly number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, { text }] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, textWidth(text));
  let excess = widths.reduce((sum, width) => sum + width + gap, -gap) - columns;
  for (const [column, least] of narrowing) {
    const given = Math.min(excess, (widths[column] ?? 0) - least);
    if (given <= 0) continue;
    widths[column] = (widths[column] ?? 0) - given;
    excess -= given;
  }
  return widths;
}

/** One row in columns of these widths. */
export const rowLine = (row: readonly StyledText[], widths: readonly number[]): StyledLine =>
  row.flatMap((cell, i) => {
    const width = widths[i] ?? 0;
    const shown = fittedLine([cell], width);
    const isLast = i === row.length - 1;
    return isLast ? shown : [...shown, { text: ' '.repeat(Math.max(0, width - widthOf(shown)) + gap) }];
  });
