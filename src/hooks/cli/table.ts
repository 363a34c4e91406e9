/** Columns as wide as what stands in them; the last is as long as it is. */
export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [columns, ...rows];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}
