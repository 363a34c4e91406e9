import { wholeOf } from './arithmetic.ts';
import { limits } from './limits.ts';
import { fail, spend, type Evaluation } from './run.ts';
import { isNumeric, nounOf, type ExprValue } from './value.ts';

/** The integers from one bound to the other, both included; none if the first is larger. */
export function rangeOf(run: Evaluation, at: number, from: ExprValue, to: ExprValue): ExprValue {
  const [first, last] = [wholeOf(from), wholeOf(to)];
  if (first === undefined || last === undefined) return noRange(run, at, from, to);
  if (last < first) return [];
  if (last - first >= BigInt(limits.range))
    return fail(run, at, `a range of more than ${limits.range} numbers`);
  const size = Number(last - first) + 1;
  if (!spend(run, at, size)) return null;
  return Array.from({ length: size }, (_, i) => first + BigInt(i));
}

/** Whether an item is in a range, without creating the list. */
export function isInRange(
  run: Evaluation,
  at: number,
  item: ExprValue,
  [from, to]: readonly [ExprValue, ExprValue],
): ExprValue {
  const [first, last] = [wholeOf(from), wholeOf(to)];
  if (first === undefined || last === undefined) return noRange(run, at, from, to);
  if (!isNumeric(item) || !(item >= first && item <= last)) return false;
  return typeof item === 'bigint' || Number.isInteger(item);
}

const noRange = (run: Evaluation, at: number, from: ExprValue, to: ExprValue): null =>
  fail(run, at, `.. takes two whole numbers, not ${nounOf(from)} and ${nounOf(to)}`);
