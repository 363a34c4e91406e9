/** A table with aligned columns. */
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
