import { fail, type Evaluation } from './run.ts';
import { isNumeric, nounOf, type ExprValue } from './value.ts';

export type Arithmetic = '+' | '-' | '*' | '/' | '%' | '**';

type Rule = {
  /** On whole numbers; undefined for a division by zero. */
  readonly whole?: (left: bigint, right: bigint) => bigint | undefined;
  readonly real?: (left: number, right: number) => number;
};

/** The rules of expr 1.8 and Go: dividing integers gives an integer, and a power is always a float. */
const rules: Readonly<Record<Arithmetic, Rule>> = {
  '+': { whole: (left, right) => left + right, real: (left, right) => left + right },
  '-': { whole: (left, right) => left - right, real: (left, right) => left - right },
  '*': { whole: (left, right) => left * right, real: (left, right) => left * right },
  '/': {
    whole: (left, right) => (right === 0n ? undefined : left / right),
    real: (left, right) => left / right,
  },
  '%': { whole: (left, right) => (right === 0n ? undefined : left % right) },
  '**': { real: power },
};

/** The result of an operator on two numbers. */
export function calculate(
  run: Evaluation,
  at: number,
  operator: Arithmetic,
  [left, right]: readonly [ExprValue, ExprValue],
): ExprValue {
  if (!isNumeric(left) || !isNumeric(right))
    return fail(run, at, `${operator} takes numbers, not ${nounOf(left)} and ${nounOf(right)}`);
  const { whole, real } = rules[operator];
  if (whole !== undefined) {
    const [a, b] = real === undefined ? [wholeOf(left), wholeOf(right)] : [left, right];
    if (typeof a === 'bigint' && typeof b === 'bigint') return wholeResult(run, at, whole(a, b));
  }
  return real === undefined
    ? fail(run, at, `${operator} takes whole numbers, not ${String(left)} and ${String(right)}`)
    : real(Number(left), Number(right));
}

export function negate(run: Evaluation, at: number, value: ExprValue): ExprValue {
  if (typeof value === 'bigint') return wholeResult(run, at, -value);
  return typeof value === 'number' ? -value : fail(run, at, `- takes a number, not ${nounOf(value)}`);
}

/** Every JSON number is a float; one without a fraction can be an index. */
export function wholeOf(value: ExprValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function wholeResult(run: Evaluation, at: number, value: bigint | undefined): ExprValue {
  if (value === undefined) return fail(run, at, 'division of a whole number by zero');
  // Go wraps around without an error, which would lead to a wrong verdict.
  return BigInt.asIntN(64, value) === value
    ? value
    : fail(run, at, 'the whole number does not fit into 64 bits');
}

/** Go and JavaScript differ on ±1 to the power of infinity or NaN. */
function power(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1;
  return base ** exponent;
}
