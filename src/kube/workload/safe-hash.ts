import { isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { safeLetters } from '#kube/safe-letters.ts';

/** The decimal digits of a number, in letters that are safe in names. */
export function safeName(sum: number): string {
  return String(sum).replaceAll(/\d/g, (digit) =>
    safeLetters.charAt(digit.charCodeAt(0) % safeLetters.length),
  );
}

/** FNV-1 with 32 bits over UTF-8, the hash of controller revisions. */
export function fnv32(text: string): number {
  let sum = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) sum = (Math.imul(sum, 0x01000193) ^ byte) >>> 0;
  return sum;
}

/** JSON with its keys in order, as Go prints it: equal values give equal texts. */
export function orderedJson(value: Json | undefined): string {
  if (isArray(value)) return `[${value.map(orderedJson).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${goText(key)}:${orderedJson(value[key])}`);
    return `{${members.join(',')}}`;
  }
  return typeof value === 'string' ? goText(value) : printJson(value ?? null);
}

const escapes: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};

const goText = (text: string): string =>
  JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, (found) => escapes[found] ?? found);
