import { sameNumber } from '#base/json.ts';
import { limits } from './limits.ts';
import { fail, spend, type Evaluation } from './run.ts';
import { isList, isMap, isNumeric, memberOf, nounOf, type ExprValue, type ValueMap } from './value.ts';

export type Order = '<' | '>' | '<=' | '>=';

/** Numbers compare with numbers and texts with texts. */
export function inOrder(
  run: Evaluation,
  at: number,
  operator: Order,
  [left, right]: readonly [ExprValue, ExprValue],
): ExprValue {
  if (isNumeric(left) && isNumeric(right)) return orders[operator](left, right);
  if (typeof left === 'string' && typeof right === 'string') {
    if (!spend(run, at, Math.min(left.length, right.length) >> 4)) return null;
    return orders[operator](compareTexts(left, right), 0);
  }
  return fail(run, at, `${operator} cannot compare ${nounOf(left)} with ${nounOf(right)}`);
}

const orders: Readonly<Record<Order, (left: bigint | number, right: bigint | number) => boolean>> = {
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
};

/** By code points, which is the order of the bytes in UTF-8 and so Go's. */
function compareTexts(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i += 1) {
    if (left.charCodeAt(i) === right.charCodeAt(i)) continue;
    return (left.codePointAt(i) ?? 0) - (right.codePointAt(i) ?? 0);
  }
  return left.length - right.length;
}

/** Deep equality. Values of different kinds are not equal; integers and floats are compared by value. */
export function isEqual(run: Evaluation, at: number, left: ExprValue, right: ExprValue): boolean {
  return equal({ run, at }, left, right, 0);
}

type Site = { readonly run: Evaluation; readonly at: number };

function equal(site: Site, left: ExprValue, right: ExprValue, depth: number): boolean {
  if (isNumeric(left) && isNumeric(right)) return sameNumber(left, right);
  if (!isNested(left) || !isNested(right)) return left === right;
  if (depth >= limits.valueDepth) {
    fail(site.run, site.at, 'the values are nested too deeply to be compared');
    return false;
  }
  if (isList(left)) return isList(right) && equalLists(site, left, right, depth);
  return !isList(right) && equalMaps(site, left, right, depth);
}

const isNested = (value: ExprValue): value is readonly ExprValue[] | ValueMap =>
  typeof value === 'object' && value !== null;

function equalLists(
  site: Site,
  left: readonly ExprValue[],
  right: readonly ExprValue[],
  depth: number,
): boolean {
  if (left.length !== right.length) return false;
  return left.every(
    (item, i) => spend(site.run, site.at, 1) && equal(site, item, right[i] ?? null, depth + 1),
  );
}

function equalMaps(site: Site, left: ValueMap, right: ValueMap, depth: number): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    const other = memberOf(right, key);
    return (
      other !== undefined && spend(site.run, site.at, 1) && equal(site, left[key] ?? null, other, depth + 1)
    );
  });
}

/** Membership: an item of a list, or a key of a map. Nothing is in nil. */
export function isIn(run: Evaluation, at: number, item: ExprValue, within: ExprValue): ExprValue {
  if (within === null) return false;
  if (isList(within))
    return (
      within.some((other) => spend(run, at, 1) && isEqual(run, at, item, other)) && run.failure === undefined
    );
  if (!isMap(within)) return fail(run, at, `in takes a list or a map, not ${nounOf(within)}`);
  if (typeof item !== 'string') return fail(run, at, `the keys of a map are texts, not ${nounOf(item)}`);
  return Object.hasOwn(within, item);
}
