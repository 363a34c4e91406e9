import { limits } from './limits.ts';
import { fail, spend, type Evaluation } from './run.ts';
import { nounOf, type ExprValue } from './value.ts';

export type TextTest = 'contains' | 'startsWith' | 'endsWith';

export function testText(
  run: Evaluation,
  at: number,
  operator: TextTest,
  [text, part]: readonly [ExprValue, ExprValue],
): ExprValue {
  if (typeof text !== 'string' || typeof part !== 'string')
    return fail(run, at, `${operator} takes texts, not ${nounOf(text)} and ${nounOf(part)}`);
  if (!spend(run, at, (text.length + part.length) >> 4)) return null;
  if (operator === 'contains') return contains(text, part);
  return operator === 'startsWith' ? text.startsWith(part) : text.endsWith(part);
}

export function join(run: Evaluation, at: number, left: string, right: string): ExprValue {
  const length = left.length + right.length;
  if (length > limits.text) return fail(run, at, `the text grows beyond ${limits.text} characters`);
  return spend(run, at, length >> 4) ? left + right : null;
}

/** `includes` is quadratic in bad cases: with long parts it takes seconds. */
const shortPart = 16;

function contains(text: string, part: string): boolean {
  if (part.length <= shortPart) return text.includes(part);
  const fallback = fallbacks(part);
  let matched = 0;
  for (let i = 0; i < text.length; i += 1) {
    matched = advance(part, fallback, matched, text.charCodeAt(i));
    if (matched === part.length) return true;
  }
  return false;
}

/** Knuth, Morris and Pratt: for each length matched, the next shorter one that still fits. */
function fallbacks(part: string): Int32Array {
  const table = new Int32Array(part.length + 1);
  let matched = 0;
  for (let i = 1; i < part.length; i += 1) {
    matched = advance(part, table, matched, part.charCodeAt(i));
    table[i + 1] = matched;
  }
  return table;
}

function advance(part: string, table: Int32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== code) length = table[length] ?? 0;
  return part.charCodeAt(length) === code ? length + 1 : length;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
// oxlint-disable-next-line no-control-regex -- every character of one byte
const onlyAscii = /^[\0-\x7F]*$/;

/** Lengths and offsets of texts count bytes of UTF-8, as Go's do. */
export function sizeOf(run: Evaluation, at: number, text: string): number {
  if (!spend(run, at, text.length >> 4)) return 0;
  return onlyAscii.test(text) ? text.length : encoder.encode(text).length;
}

/** A slice that cuts a character in two shows it as U+FFFD. */
export function sliceText(text: string, start: number, end: number): string {
  if (onlyAscii.test(text)) return text.slice(start, end);
  return decoder.decode(encoder.encode(text).subarray(start, end));
}
