import { wholeOf } from './arithmetic.ts';
import { fail, spend, type Evaluation } from './run.ts';
import { showValue } from './show.ts';
import { sizeOf, sliceText } from './text.ts';
import { isList, isMap, memberOf, nounOf, type ExprValue } from './value.ts';

/** A member of a map; nil if there is none of that name. */
export function member(run: Evaluation, at: number, value: ExprValue, key: string): ExprValue {
  if (isMap(value)) return memberOf(value, key) ?? null;
  return fail(run, at, `${nounOf(value)} has no member ${showValue(key)}`);
}

export function indexed(run: Evaluation, at: number, value: ExprValue, index: ExprValue): ExprValue {
  if (isMap(value)) {
    if (typeof index === 'string') return memberOf(value, index) ?? null;
    return fail(run, at, `the keys of a map are texts, not ${nounOf(index)}`);
  }
  if (!isList(value)) return fail(run, at, `${nounOf(value)} cannot be indexed`);
  const place = wholeOf(index);
  if (place === undefined)
    return fail(run, at, `a list is indexed by a whole number, not ${showValue(index)}`);
  const found = place >= 0n && place < BigInt(value.length) ? value[Number(place)] : undefined;
  return found === undefined
    ? fail(run, at, `index ${place} lies outside the list of ${value.length}`)
    : found;
}

/** The items from `start` to before `end`; a larger end means the length. */
export function slice(
  run: Evaluation,
  at: number,
  value: ExprValue,
  [start, end]: readonly [ExprValue, ExprValue],
): ExprValue {
  if (typeof value !== 'string' && !isList(value)) return fail(run, at, `${nounOf(value)} cannot be sliced`);
  const size = typeof value === 'string' ? sizeOf(run, at, value) : value.length;
  const to = end === null ? size : boundOf(end, size);
  const from = start === null ? 0 : boundOf(start, size);
  if (from === undefined || to === undefined) {
    const wrong = from === undefined ? start : end;
    return fail(run, at, `a slice is bounded by whole numbers from 0 on, not ${showValue(wrong)}`);
  }
  if (!spend(run, at, Math.max(0, to - from) >> (typeof value === 'string' ? 4 : 0))) return null;
  const first = Math.min(from, to);
  return typeof value === 'string' ? sliceText(value, first, to) : value.slice(first, to);
}

function boundOf(bound: ExprValue, size: number): number | undefined {
  const whole = wholeOf(bound);
  if (whole === undefined || whole < 0n) return undefined;
  return whole > BigInt(size) ? size : Number(whole);
}

/** The length of a list or text, or the number of a map's members. */
export function lengthOf(run: Evaluation, at: number, value: ExprValue): ExprValue {
  if (typeof value === 'string') return BigInt(sizeOf(run, at, value));
  if (isList(value)) return BigInt(value.length);
  if (!isMap(value)) return fail(run, at, `len takes a list, a map or text, not ${nounOf(value)}`);
  const size = Object.keys(value).length;
  return spend(run, at, size >> 2) ? BigInt(size) : null;
}
