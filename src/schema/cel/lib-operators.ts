import { compare, equal } from './equal.ts';
import { forTypes, type OverloadRow } from './overload.ts';
import {
  checkedInt,
  checkedUint,
  failed,
  itemsOf,
  listOf,
  noSuchOverload,
  type Dict,
  type List,
  type Optional,
  type Uint,
  type CelValue,
} from './value.ts';

const divisionByZero = failed('division by zero');
const modulusByZero = failed('modulus by zero');

const int =
  (compute: (a: bigint, b: bigint) => bigint, byZero?: CelValue) =>
  (a: bigint, b: bigint): CelValue =>
    byZero !== undefined && b === 0n ? byZero : checkedInt(compute(a, b));

const uint =
  (compute: (a: bigint, b: bigint) => bigint, byZero?: CelValue) =>
  (a: Uint, b: Uint): CelValue =>
    byZero !== undefined && b.value === 0n ? byZero : checkedUint(compute(a.value, b.value));

const arithmetic: readonly OverloadRow[] = [
  ['_+_(int, int): int', int((a, b) => a + b)],
  ['_-_(int, int): int', int((a, b) => a - b)],
  ['_*_(int, int): int', int((a, b) => a * b)],
  ['_/_(int, int): int', int((a, b) => a / b, divisionByZero)],
  ['_%_(int, int): int', int((a, b) => a % b, modulusByZero)],
  ['-_(int): int', (a: bigint) => checkedInt(-a)],
  ['_+_(uint, uint): uint', uint((a, b) => a + b)],
  ['_-_(uint, uint): uint', uint((a, b) => a - b)],
  ['_*_(uint, uint): uint', uint((a, b) => a * b)],
  ['_/_(uint, uint): uint', uint((a, b) => a / b, divisionByZero)],
  ['_%_(uint, uint): uint', uint((a, b) => a % b, modulusByZero)],
  ['_+_(double, double): double', (a: number, b: number) => a + b],
  ['_-_(double, double): double', (a: number, b: number) => a - b],
  ['_*_(double, double): double', (a: number, b: number) => a * b],
  ['_/_(double, double): double', (a: number, b: number) => a / b],
  ['-_(double): double', (a: number) => -a],
  ['_+_(string, string): string', (a: string, b: string) => a + b],
  ['_+_(bytes, bytes): bytes', joinBytes],
  ['_+_(list<A>, list<A>): list<A>', concatenate],
];

function joinBytes(left: Uint8Array, right: Uint8Array): CelValue {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

/** Lists of type set and map merge: what the left one already has is replaced in place. */
function concatenate(left: List, right: List): CelValue {
  const { keyOf } = left;
  if (keyOf === undefined) return chained(left, right);
  const merged = new Map(itemsOf(left).map((each) => [keyOf(each), each]));
  for (const each of itemsOf(right)) merged.set(keyOf(each), each);
  return { ...listOf([...merged.values()]), keyOf };
}

/** Nothing is copied: adding lists counts as one step. */
const chained = (left: List, right: List): List => ({
  kind: 'list',
  length: left.length + right.length,
  at: (index) => (index < left.length ? left.at(index) : right.at(index - left.length)),
});

const ordered = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const mixed = ['int, uint', 'int, double', 'uint, int', 'uint, double', 'double, int', 'double, uint'];

const comparing =
  (holds: (order: number) => boolean) =>
  (a: CelValue, b: CelValue): CelValue => {
    const order = compare(a, b);
    if (order === undefined) return typeof a === 'number' || typeof b === 'number' ? false : noSuchOverload;
    return holds(order);
  };

const comparisons: readonly OverloadRow[] = (
  [
    ['_<_', (order: number) => order < 0],
    ['_<=_', (order: number) => order <= 0],
    ['_>_', (order: number) => order > 0],
    ['_>=_', (order: number) => order >= 0],
  ] as const
).flatMap(([name, holds]) => [
  ...forTypes(ordered, `${name}(A, A): bool`, comparing(holds)),
  ...mixed.map((types): OverloadRow => [`${name}(${types}): bool`, comparing(holds)]),
]);

function indexList(list: List, index: bigint): CelValue {
  return index < 0n || index >= BigInt(list.length)
    ? failed(`index out of bounds: ${index}`)
    : list.at(Number(index));
}

function indexMap(map: Dict, key: CelValue): CelValue {
  const value = map.find(key);
  return value === undefined ? failed(`no such key: ${typeof key === 'object' ? '' : String(key)}`) : value;
}

/** Operators that are plain functions; `&&`, `||` and `?:` decide themselves what they evaluate. */
export const operators: readonly OverloadRow[] = [
  ...arithmetic,
  ...comparisons,
  ['_==_(A, A): bool', (a: CelValue, b: CelValue) => equal(a, b)],
  ['_!=_(A, A): bool', (a: CelValue, b: CelValue) => !equal(a, b)],
  ['!_(bool): bool', (a: boolean) => !a],
  ['_&&_(bool, bool): bool', (a: boolean, b: boolean) => a && b],
  ['_||_(bool, bool): bool', (a: boolean, b: boolean) => a || b],
  ['_?_:_(bool, A, A): A', (test: boolean, yes: CelValue, no: CelValue) => (test ? yes : no)],
  ['@not_strictly_false(bool): bool', (a: boolean) => a],
  ['@in(A, list<A>): bool', (item: CelValue, list: List) => itemsOf(list).some((each) => equal(each, item))],
  ['@in(A, map<A, B>): bool', (key: CelValue, map: Dict) => map.find(key) !== undefined],
  ['_[_](list<A>, int): A', indexList],
  ['_[_](map<A, B>, A): B', indexMap],
  ['_[?_](list<A>, int): optional<A>', (list: List, index: bigint) => optionalItem(list, index)],
  ['_[?_](optional<list<A>>, int): optional<A>', through(optionalItem)],
  ['_[?_](map<A, B>, A): optional<B>', (map: Dict, key: CelValue) => optionalEntry(map, key)],
  ['_[?_](optional<map<A, B>>, A): optional<B>', through(optionalEntry)],
  ['_[_](optional<list<A>>, int): optional<A>', through(optionalItem)],
  ['_[_](optional<map<A, B>>, A): optional<B>', through(optionalEntry)],
];

function optionalItem(list: List, index: bigint): Optional {
  const inside = index >= 0n && index < BigInt(list.length);
  return { kind: 'optional', value: inside ? list.at(Number(index)) : undefined };
}

function optionalEntry(map: Dict, key: CelValue): Optional {
  return { kind: 'optional', value: map.find(key) };
}

/** The same on what an optional holds; nothing stays nothing. */
function through<K>(find: (of: never, key: K) => Optional): (of: Optional, key: K) => Optional {
  // The signature gives the type of the optional's value.
  return (of, key) => (of.value === undefined ? of : find(of.value as never, key));
}
