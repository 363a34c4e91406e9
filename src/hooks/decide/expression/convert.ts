import { fail, type Evaluation } from './run.ts';
import { showValue } from './show.ts';
import { isNumeric, nounOf, type ExprValue } from './value.ts';
import { wholeOf } from './arithmetic.ts';

const longestSafe = 15;
const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;
const wholeShape = /^[+-]?[0-9]+$/;
const longestWhole = 1000;

/** An integer from a text in base 10, or from a JSON number without a fraction. */
export function asInt(run: Evaluation, at: number, value: ExprValue): ExprValue {
  if (typeof value !== 'string') return wholeOf(value) ?? notConverted(run, at, 'asInt', value);
  if (value.length > longestWhole || !wholeShape.test(value))
    return fail(run, at, `asInt: ${showValue(value)} is not a whole number`);
  if (value.length <= longestSafe) return BigInt(Number(value));
  const whole = value.startsWith('+') ? BigInt(value.slice(1)) : BigInt(value);
  return whole >= smallest && whole <= largest
    ? whole
    : fail(run, at, `asInt: ${showValue(value)} does not fit into 64 bits`);
}

const realShape = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const infinite = /^([+-]?)inf(?:inity)?$/i;

/** A number from text: decimal, with or without exponent, or `NaN` and `Inf`. */
export function asFloat(run: Evaluation, at: number, value: ExprValue): ExprValue {
  if (isNumeric(value)) return Number(value);
  if (typeof value !== 'string') return notConverted(run, at, 'asFloat', value);
  if (value.length > longestWhole) return fail(run, at, `asFloat: ${showValue(value)} is not a number`);
  if (!realShape.test(value)) return special(run, at, value);
  const real = Number(value);
  return Number.isFinite(real)
    ? real
    : fail(run, at, `asFloat: ${showValue(value)} is too large for a number`);
}

function special(run: Evaluation, at: number, text: string): ExprValue {
  if (/^nan$/i.test(text)) return Number.NaN;
  const sign = infinite.exec(text)?.[1];
  if (sign === undefined) return fail(run, at, `asFloat: ${showValue(text)} is not a number`);
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function notConverted(run: Evaluation, at: number, name: string, value: ExprValue): ExprValue {
  const what = typeof value === 'number' ? `${String(value)}, which is not whole` : nounOf(value);
  return fail(run, at, `${name} takes text, not ${what}`);
}
