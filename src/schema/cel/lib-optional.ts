import type { OverloadRow } from './overload.ts';
import { failed, isBoxed, none, some, type Optional, type CelValue } from './value.ts';

const nothing = failed('optional.none() dereference');

/** Zero, false, the empty text and empty collections count as nothing for `ofNonZeroValue`. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof Uint8Array) return value.length === 0;
  if (!isBoxed(value)) return false;
  if (value.kind === 'list') return value.length === 0;
  if (value.kind === 'map') return value.size === 0;
  if (value.kind === 'uint') return value.value === 0n;
  return value.kind === 'duration' && value.nanos === 0n;
}

/** `or` and `orValue` are here for their types: evaluation looks at their argument only when it is needed. */
export const optionals: readonly OverloadRow[] = [
  ['#optional.none(): optional<A>', () => none],
  ['#optional.of(A): optional<A>', some],
  ['#optional.ofNonZeroValue(A): optional<A>', (value: CelValue) => (isZero(value) ? none : some(value))],
  ['optional<A>.hasValue(): bool', (of: Optional) => of.value !== undefined],
  ['optional<A>.value(): A', (of: Optional) => (of.value === undefined ? nothing : of.value)],
  [
    'optional<A>.or(optional<A>): optional<A>',
    (of: Optional, other: Optional) => (of.value === undefined ? other : of),
  ],
  [
    'optional<A>.orValue(A): A',
    (of: Optional, other: CelValue) => (of.value === undefined ? other : of.value),
  ],
];
