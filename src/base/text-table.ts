import { fitted, padded, textWidth } from './text-width.ts';

const gap = '  ';
/** A column that is cut keeps at least this. */
const least = 6;

/**
 * Rows of cells as lines, each column as wide as its widest cell. With `columns` no line is wider than that: the widest
 * columns give way first, and what does not fit ends in an ellipsis.
 */
export function tableLines(rows: readonly (readonly string[])[], columns = Infinity): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => textWidth(row[at] ?? ''))),
  );
  const widths = narrowed(natural, columns);
  return rows.map((row) =>
    fitted(
      row
        .map((cell, at) => padded(fitted(cell, widths[at] ?? 0), widths[at] ?? 0))
        .join(gap)
        .trimEnd(),
      columns,
    ),
  );
}

/** The greatest common limit of the columns under which they fit. */
function narrowed(widths: readonly number[], columns: number): readonly number[] {
  const room = columns - gap.length * (widths.length - 1);
  const sum = (limit: number): number => widths.reduce((total, width) => total + Math.min(width, limit), 0);
  const widest = Math.max(0, ...widths);
  if (sum(widest) <= room) return widths;
  let limit = widest;
  while (limit > least && sum(limit) > room) limit -= 1;
  return widths.map((width) => Math.min(width, limit));
}
