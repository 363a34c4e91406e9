/** Each line once, with its number where not all rehearsals have it. */
export function linesOnce(lists: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const lines of lists) for (const line of new Set(lines)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, some]) =>
    some === lists.length ? line : `${line} (${some} of ${lists.length} rehearsals)`,
  );
}
