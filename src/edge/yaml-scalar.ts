import { integerFrom } from '#base/integer.ts';

const words = new Map<string, boolean | null>([
  ...both(true, ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE']),
  ...both(false, ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE']),
  ...both(null, ['', '~', 'null', 'Null', 'NULL']),
]);

function both<T>(value: T, texts: readonly string[]): [string, T][] {
  return texts.map((text) => [text, value]);
}

const decimal = /^[-+]?(?:0|[1-9][0-9]*)$/;
const based = /^([-+]?)0([xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/;
const octal = /^([-+]?)0([0-7]+)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const beyondJson = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * The value of a plain (unquoted) scalar by the rules of kubectl, which are neither YAML 1.1's nor 1.2's:
 * `yes` is true, `017` and `0o17` are 15, `1_000` is 1000; `2020-01-01` and `1:30` are texts.
 */
export function plainScalar(text: string): string | number | bigint | boolean | null {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  const digits = text.replaceAll('_', '');
  return numberOf(digits) ?? text;
}

/** Whether a plain scalar is an infinity or NaN, which JSON does not have. */
export const isBeyondJson = (text: string): boolean => beyondJson.test(text);

function numberOf(digits: string): number | bigint | undefined {
  if (decimal.test(digits)) return noMinusZero(integerFrom(digits.replace('+', '')));
  const prefixed = based.exec(digits);
  if (prefixed !== null) return signed(prefixed[1], integerFrom(`0${prefixed[2]}`));
  const old = octal.exec(digits);
  if (old !== null) return signed(old[1], integerFrom(`0o${old[2]}`));
  if (!float.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isFinite(value) ? noMinusZero(value) : undefined;
}

const signed = (sign: string | undefined, value: number | bigint): number | bigint =>
  sign === '-' ? noMinusZero(-value) : value;
const noMinusZero = (value: number | bigint): number | bigint => (value === 0 ? 0 : value);

const timestamp = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt\s])/;
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether a text must be quoted because some reader of YAML would take it for something else. */
export function looksLikeOther(text: string): boolean {
  return (
    typeof plainScalar(text) !== 'string' ||
    isBeyondJson(text) ||
    text === '<<' ||
    text === '=' ||
    timestamp.test(text) ||
    sexagesimal.test(text)
  );
}
