import { ExitError } from './exit.ts';

/** The names in a list such as `all`, `none` or `a,b`, in their own order. */
export function chosen<Name extends string>(
  flag: string,
  text: string,
  known: readonly Name[],
): ReadonlySet<Name> {
  if (text === 'all') return new Set(known);
  if (text === 'none') return new Set();
  const names = text.split(',').filter((name) => name !== '');
  const found = known.filter((name) => names.includes(name));
  const unknown = names.filter((name) => !known.some((each) => each === name));
  if (unknown.length === 0) return new Set(found);
  throw new ExitError(
    2,
    `${flag} names ${unknown.join(', ')}, which does not exist: use all, none, or choose from ${known.join(', ')}`,
  );
}

/** The one of these names that a flag has. */
export function oneOf<Name extends string>(flag: string, given: unknown, known: readonly Name[]): Name {
  const found = known.find((each) => each === given);
  if (found !== undefined) return found;
  throw new ExitError(2, `${flag} ${String(given)} does not exist: choose from ${known.join(', ')}`);
}
