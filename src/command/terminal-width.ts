/** The columns of the terminal; undefined where there is none, or where it reports no size. */
export function terminalWidth(): number | undefined {
  const { columns } = process.stdout;
  return columns > 0 ? columns : undefined;
}
