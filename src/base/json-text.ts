import { readExactly } from './json-exact.ts';
import type { Json } from './json.ts';

/**
 * JSON text as values, integers as Kubernetes reads them: exact within 64 bits, a float beyond. Integers that a number
 * cannot hold become bigints; all others stay numbers, so that each has one form. Throws what JSON.parse throws.
 */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  return manyDigits.test(text) && longNumber.test(text) ? readExactly(text) : value;
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

/** Numbers of fewer digits are exact. Written out, the pattern is searched eight times as fast as with a count. */
const manyDigits = new RegExp(String.raw`\d`.repeat(16));
/** Digits that may be a number: those in a string stand after a quote or a letter, mostly. */
const longNumber = /(?:^|[\s:,[-])\d{16}/;

/** Prints text as it is; the compiler's library does not know it yet. */
const { rawJSON } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown };

const rawInteger = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(value.toString()) : value;
