/** The columns of the terminal; undefined where there is none, or where it reports no size. */
export function terminalWidth(): number | undefined {
  const { columns } = process.stdout;
  return columns > 0 ? columns : undefined;
}

/** The size of the terminal; 80 columns and 24 rows where it reports none. */
export const terminalSize = (): { readonly columns: number; readonly rows: number } => ({
  columns: terminalWidth() ?? 80,
  rows: process.stdout.rows || 24,
});
