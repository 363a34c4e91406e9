/** The known name that a mistyped one may have meant. */
export const nearestOf = (given: string, known: readonly string[]): string | undefined =>
  known.find((each) => isNear(given, each));

/** One letter more, less or different, two swapped, or another case. */
function isNear(given: string, known: string): boolean {
  const [one, other] = [given.toLowerCase(), known.toLowerCase()];
  if (one === other) return true;
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  const swapped = `${left[1] ?? ''}${left[0] ?? ''}${left.slice(2)}`;
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    swapped === right
  );
}
