import { compare, equal } from './equal.ts';
import { forTypes, type OverloadRow } from './overload.ts';
import {
  checkedInt,
  checkedUint,
  failed,
  isError,
  itemsOf,
  kindOf,
  noSuchOverload,
  type List,
  type CelValue,
} from './value.ts';

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function isSorted(list: List): boolean {
  const items = itemsOf(list);
  return items.every((each, i) => i === 0 || (compare(items[i - 1] ?? null, each) ?? 0) <= 0);
}

const extreme =
  (name: string, sign: number) =>
  (list: List): CelValue => {
    const items = itemsOf(list);
    if (items.length === 0) return failed(`${name} called on empty list`);
    return items.reduce((best, each) => ((compare(each, best) ?? 0) * sign > 0 ? each : best));
  };

/** A sum in which an overflow stays an overflow; lists of mixed numbers have none. */
const summing =
  (zero: CelValue, add: (left: CelValue, right: CelValue) => CelValue) =>
  (list: List): CelValue =>
    itemsOf(list).reduce((total, each) => {
      if (isError(total)) return total;
      return kindOf(each) === kindOf(zero) ? add(total, each) : noSuchOverload;
    }, zero);

// What is added was found to be of the same kind as the zero.
const addInt = (left: CelValue, right: CelValue): CelValue =>
  checkedInt((left as bigint) + (right as bigint));
const addDouble = (left: CelValue, right: CelValue): CelValue => (left as number) + (right as number);
const valueOf = (value: CelValue): bigint => (value as { readonly value: bigint }).value;
const nanosOf = (value: CelValue): bigint => (value as { readonly nanos: bigint }).nanos;
const addUint = (left: CelValue, right: CelValue): CelValue => checkedUint(valueOf(left) + valueOf(right));
const addDuration = (left: CelValue, right: CelValue): CelValue => ({
  kind: 'duration',
  nanos: nanosOf(left) + nanosOf(right),
});

export const lists: readonly OverloadRow[] = [
  ...forTypes(comparable, 'list<A>.isSorted(): bool', isSorted),
  ...forTypes(comparable, 'list<A>.min(): A', extreme('min', -1)),
  ...forTypes(comparable, 'list<A>.max(): A', extreme('max', 1)),
  ['list<int>.sum(): int', summing(0n, addInt)],
  ['list<uint>.sum(): uint', summing({ kind: 'uint', value: 0n }, addUint)],
  ['list<double>.sum(): double', summing(0, addDouble)],
  ['list<duration>.sum(): duration', summing({ kind: 'duration', nanos: 0n }, addDuration)],
  [
    'list<A>.indexOf(A): int',
    (list: List, item: CelValue) => BigInt(itemsOf(list).findIndex((each) => equal(each, item))),
  ],
  [
    'list<A>.lastIndexOf(A): int',
    (list: List, item: CelValue) => BigInt(itemsOf(list).findLastIndex((each) => equal(each, item))),
  ],
];

const contains = (list: List, other: List): boolean => {
  const items = itemsOf(list);
  return itemsOf(other).every((each) => items.some((item) => equal(item, each)));
};

const intersects = (list: List, other: List): boolean => {
  const items = itemsOf(list);
  return itemsOf(other).some((each) => items.some((item) => equal(item, each)));
};

export const sets: readonly OverloadRow[] = [
  ['#sets.contains(list<A>, list<A>): bool', contains],
  ['#sets.intersects(list<A>, list<A>): bool', intersects],
  [
    '#sets.equivalent(list<A>, list<A>): bool',
    (left: List, right: List) => contains(left, right) && contains(right, left),
  ],
];
