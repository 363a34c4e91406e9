import { isBoxed, type Dict, type List, type CelValue } from './value.ts';

/** Deeper values are called different rather than followed. */
const deepest = 200;

/** Equality of any two values: numbers by their amount, everything else only within its type. */
export function equal(left: CelValue, right: CelValue, depth = 0): boolean {
  if (left === right) return true;
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right) === 0;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && compareBytes(left, right) === 0;
  return isBoxed(left) && isBoxed(right) && depth < deepest && equalBoxed(left, right, depth + 1);
}

type BoxedValue = Extract<CelValue, { readonly kind: string }>;

function equalBoxed(left: BoxedValue, right: BoxedValue, depth: number): boolean {
  if (left.kind === 'list') return right.kind === 'list' && equalLists(left, right, depth);
  if (left.kind === 'map') return right.kind === 'map' && equalDicts(left, right, depth);
  if (left.kind === 'optional') {
    if (right.kind !== 'optional') return false;
    if (left.value === undefined || right.value === undefined) return left.value === right.value;
    return equal(left.value, right.value, depth);
  }
  return left.kind === right.kind && identity(left) === identity(right);
}

/** What makes two scalar values of one kind the same. */
function identity(value: BoxedValue): string | bigint {
  switch (value.kind) {
    case 'duration':
    case 'timestamp':
      return value.nanos;
    case 'type':
    case 'format':
      return value.name;
    case 'url':
      return value.text;
    case 'ip':
      return `${value.family}/${value.bits}`;
    case 'cidr':
      return `${identity(value.ip)}/${value.prefix}`;
    case 'quantity':
      return value.quantity.nano;
    case 'hidden':
      return value.identity;
    default:
      return value.kind;
  }
}

function equalLists(left: List, right: List, depth: number): boolean {
  if (left.length !== right.length) return false;
  if (left.keyOf !== undefined) return equalUnordered(left, right, left.keyOf);
  for (let i = 0; i < left.length; i++) if (!equal(left.at(i), right.at(i), depth)) return false;
  return true;
}

function equalUnordered(left: List, right: List, keyOf: (item: CelValue) => string): boolean {
  const byKey = new Map<string, CelValue>();
  for (let i = 0; i < left.length; i++) byKey.set(keyOf(left.at(i)), left.at(i));
  for (let i = 0; i < right.length; i++) {
    const item = right.at(i);
    const other = byKey.get(keyOf(item));
    if (other === undefined || !equal(other, item, 1)) return false;
  }
  return true;
}

function equalDicts(left: Dict, right: Dict, depth: number): boolean {
  if (left.size !== right.size) return false;
  return left.keys().every((key) => {
    const mine = left.find(key);
    const other = right.find(key);
    if (mine === undefined || other === undefined) return mine === other;
    return equal(mine, other, depth);
  });
}

type Numeric = bigint | number | { readonly kind: 'uint'; readonly value: bigint };

const isNumeric = (value: CelValue): value is Numeric =>
  typeof value === 'bigint' || typeof value === 'number' || (isBoxed(value) && value.kind === 'uint');

function compareNumbers(left: Numeric, right: Numeric): number | undefined {
  const a = typeof left === 'object' ? left.value : left;
  const b = typeof right === 'object' ? right.value : right;
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : 0;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

/** Negative, zero or positive; undefined when the two have no order. */
export function compare(left: CelValue, right: CelValue): number | undefined {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  return isBoxed(left) && isBoxed(right) ? compareTimes(left, right) : undefined;
}

function compareTimes(left: BoxedValue, right: BoxedValue): number | undefined {
  if ((left.kind !== 'timestamp' && left.kind !== 'duration') || right.kind !== left.kind) return undefined;
  if (left.nanos === right.nanos) return 0;
  return left.nanos < right.nanos ? -1 : 1;
}

/** By code point, as UTF-8 orders them: JavaScript's own order puts the surrogates before U+E000. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    if (left.charCodeAt(i) === right.charCodeAt(i)) continue;
    return (left.codePointAt(i) ?? 0) < (right.codePointAt(i) ?? 0) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}
