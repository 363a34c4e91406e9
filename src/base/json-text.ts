import type { Json } from './json.ts';

/**
 * JSON text as values, integers as Kubernetes reads them: exact within 64 bits, a float beyond. Integers that a number
 * cannot hold become bigints; all others stay numbers, so that each has one form. Throws what JSON.parse throws.
 */
export function parseJson(text: string): Json {
  const isLong = manyDigits.test(text) && longNumber.test(text);
  return (isLong ? exact.parse(text, exactInteger) : JSON.parse(text)) as Json;
}

/** The JSON text of a value, bigints included. */
export function printJson(value: Json, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // Bigints are all that JSON.stringify refuses; to look for them ahead would cost every other value.
    if (error instanceof TypeError) return JSON.stringify(value, rawInteger, indent);
    throw error;
  }
}

/** An integer of up to 64 bits in its one form; a float when it is larger. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) || !isInt64(value) ? number : value;
}

/** The integer of a text such as `-12` or `0x1f`. Longer texts than any 64 bits need are not worth the reckoning. */
export const integerFrom = (text: string): number | bigint =>
  text.length > longestInteger ? Number(text) : integerOf(BigInt(text));

/** 64 binary digits and their prefix. */
const longestInteger = 66;

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** Numbers of fewer digits are exact. Written out, the pattern is searched eight times as fast as with a count. */
const manyDigits = new RegExp(String.raw`\d`.repeat(16));
/** Digits that may be a number: those in a string stand after a quote or a letter, mostly. */
const longNumber = /(?:^|[\s:,[-])\d{16}/;
const integerText = /^-?\d+$/;

/** What the compiler's library does not know yet: a reviver sees the text of a number, and text can be printed as it is. */
type SourceText = {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};
const exact = JSON as unknown as SourceText;

function exactInteger(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return integerText.test(source) ? integerFrom(source) : value;
}

const rawInteger = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? exact.rawJSON(value.toString()) : value;
