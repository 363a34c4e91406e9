/** Reads `0-2,4`, the short form in which a status keeps indexes; those from `below` on are left out. */
export function parseIndexes(text: string, below: number): Set<number> {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match === null) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? match[1]), below - 1);
    for (let index = first; index <= last; index += 1) found.add(index);
  }
  return found;
}

/** Two neighbours are listed, three become a range. */
export function formatIndexes(indexes: Iterable<number>): string {
  const parts: string[] = [];
  let run: { first: number; last: number } | undefined;
  const close = (): void => {
    if (run === undefined) return;
    const separator = run.last === run.first + 1 ? ',' : '-';
    parts.push(run.first === run.last ? String(run.first) : `${run.first}${separator}${run.last}`);
  };
  for (const index of [...indexes].sort((left, right) => left - right)) {
    if (run !== undefined && index === run.last + 1) run.last = index;
    else {
      close();
      run = { first: index, last: index };
    }
  }
  close();
  return parts.join(',');
}
