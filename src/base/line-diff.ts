/** A line of a comparison: in both texts, only in the first, or only in the second. */
export type DiffLine = { readonly type: 'same' | 'removed' | 'added'; readonly text: string };

/** Beyond this product of lines a common part inside of the changed part is not looked for. */
const mostCells = 4_000_000;

/** The lines of both texts, with the longest common part found once. */
export function lineDiff(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const start = sameAtStart(from, to);
  const end = sameAtStart(from.slice(start).toReversed(), to.slice(start).toReversed());
  const left = from.slice(start, from.length - end);
  const right = to.slice(start, to.length - end);
  const middle =
    left.length * right.length > mostCells
      ? [...marked('removed', left), ...marked('added', right)]
      : shortestEdit(left, right);
  return [
    ...marked('same', from.slice(0, start)),
    ...middle,
    ...marked('same', from.slice(from.length - end)),
  ];
}

const marked = (type: DiffLine['type'], lines: readonly string[]): readonly DiffLine[] =>
  lines.map((text) => ({ type, text }));

function sameAtStart(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count += 1;
  return count;
}

/** From the lengths of the longest common parts of all ends. */
function shortestEdit(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const common = commonLengths(from, to);
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) {
      found.push({ type: 'same', text: from[i] ?? '' });
      i += 1;
      j += 1;
    } else if (common(i + 1, j) >= common(i, j + 1)) {
      found.push({ type: 'removed', text: from[i] ?? '' });
      i += 1;
    } else {
      found.push({ type: 'added', text: to[j] ?? '' });
      j += 1;
    }
  }
  return [...found, ...marked('removed', from.slice(i)), ...marked('added', to.slice(j))];
}

/** How many lines the ends of both texts have in common, from line `i` and line `j` on. */
function commonLengths(from: readonly string[], to: readonly string[]): (i: number, j: number) => number {
  const width = to.length + 1;
  const common = new Uint32Array((from.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1)
      common[i * width + j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}

/** Changed lines that are near each other, with the unchanged lines around them. */
export type DiffHunk = {
  /** As `diff -u` prints it: `@@ -1,7 +1,7 @@`. */
  readonly header: string;
  readonly lines: readonly DiffLine[];
};

/** The changes of a comparison with up to `context` unchanged lines around each. */
export function diffHunks(lines: readonly DiffLine[], context = 3): readonly DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let at = 0;
  for (;;) {
    const first = lines.findIndex(({ type }, i) => i >= at && type !== 'same');
    if (first < 0) return hunks;
    let last = first;
    for (let i = first; i < lines.length && i - last <= 2 * context; i += 1)
      if (lines[i]?.type !== 'same') last = i;
    const start = Math.max(0, first - context);
    const end = Math.min(lines.length, last + context + 1);
    hunks.push({ header: headerOf(lines, start, end), lines: lines.slice(start, end) });
    at = end;
  }
}

function headerOf(lines: readonly DiffLine[], start: number, end: number): string {
  const count = (part: readonly DiffLine[], other: DiffLine['type']): number =>
    part.filter(({ type }) => type !== other).length;
  const range = (other: DiffLine['type']): string => {
    const length = count(lines.slice(start, end), other);
    const before = count(lines.slice(0, start), other);
    return `${length === 0 ? before : before + 1},${length}`;
  };
  return `@@ -${range('added')} +${range('removed')} @@`;
}
