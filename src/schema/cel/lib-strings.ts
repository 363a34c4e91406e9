import { formatText } from './format-text.ts';
import { Exhausted } from './meter.ts';
import type { OverloadRow } from './overload.ts';
import { codePoints, hasSurrogates, quoteText, sizeOfText } from './text.ts';
import { failed, itemsOf, listOf, type List, type CelValue } from './value.ts';

const outOfRange = (index: bigint): CelValue => failed(`index out of range: ${index}`);

function charAt(text: string, index: bigint): CelValue {
  if (index < 0n || index > BigInt(sizeOfText(text))) return outOfRange(index);
  return slice(text, Number(index), Number(index) + 1);
}

/** A part by its code points. */
const slice = (text: string, start: number, end: number): string =>
  hasSurrogates(text) ? codePoints(text).slice(start, end).join('') : text.slice(start, end);

/** Where a part begins, counted in code points, from an offset in code points. */
function indexFrom(text: string, part: string, from: bigint): CelValue {
  if (part === '') return from;
  if (from < 0n || from >= BigInt(sizeOfText(text))) return outOfRange(from);
  return found(text, text.indexOf(part, units(text, Number(from))));
}

function lastIndexFrom(text: string, part: string, from: bigint): CelValue {
  if (part === '') return from;
  if (from < 0n || from >= BigInt(sizeOfText(text))) return outOfRange(from);
  return found(text, text.lastIndexOf(part, units(text, Number(from))));
}

const units = (text: string, count: number): number => slice(text, 0, count).length;

const found = (text: string, at: number): bigint => BigInt(at > 0 ? sizeOfText(text.slice(0, at)) : at);

function lastIndexOf(text: string, part: string): CelValue {
  if (part === '') return BigInt(sizeOfText(text));
  return found(text, text.lastIndexOf(part));
}

function substring(text: string, start: bigint, end?: bigint): CelValue {
  const size = BigInt(sizeOfText(text));
  const stop = end ?? size;
  if (end !== undefined && start > end)
    return failed(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return outOfRange(start);
  if (stop < 0n || stop > size) return outOfRange(stop);
  return slice(text, Number(start), Number(stop));
}

/** The first `most` occurrences, or all when it is negative; an empty part stands between all characters. */
function replace(text: string, part: string, by: string, most: bigint): string {
  if (most === 0n) return text;
  if (text.length * (by.length + 1) > mostCharacters && grows(text, part, by)) throw new Exhausted();
  if (most < 0n && part !== '') return text.replaceAll(part, () => by);
  const pieces = part === '' ? ['', ...codePoints(text), ''] : text.split(part);
  const times = most < 0n ? pieces.length : Number(most);
  let answer = pieces[0] ?? '';
  for (let i = 1; i < pieces.length; i++) answer += (i <= times ? by : part) + (pieces[i] ?? '');
  return answer;
}

/** Limit against abuse: no legitimate expression makes longer texts. */
const mostCharacters = 16_000_000;

const grows = (text: string, part: string, by: string): boolean =>
  (part === '' ? text.length + 1 : text.split(part).length) * by.length + text.length > mostCharacters;

function split(text: string, separator: string, most: bigint): CelValue {
  if (most === 0n) return listOf([]);
  const pieces = separator === '' ? codePoints(text) : text.split(separator);
  if (most < 0n || BigInt(pieces.length) <= most) return listOf(pieces);
  const kept = Number(most) - 1;
  return listOf([...pieces.slice(0, kept), pieces.slice(kept).join(separator)]);
}

function join(list: List, separator: string): CelValue {
  const items = itemsOf(list);
  const texts = items.filter((each) => typeof each === 'string');
  return texts.length === items.length ? texts.join(separator) : failed('no such overload');
}

const ascii =
  (pattern: RegExp, change: (text: string) => string) =>
  (text: string): string =>
    text.replaceAll(pattern, change);

/** What Go calls white space, which is not quite what JavaScript trims. */
const edges =
  /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

export const strings: readonly OverloadRow[] = [
  ['string.charAt(int): string', charAt],
  ['string.indexOf(string): int', (text: string, part: string) => found(text, text.indexOf(part))],
  ['string.indexOf(string, int): int', indexFrom],
  ['string.lastIndexOf(string): int', lastIndexOf],
  ['string.lastIndexOf(string, int): int', lastIndexFrom],
  ['string.lowerAscii(): string', ascii(/[A-Z]+/g, (text) => text.toLowerCase())],
  ['string.upperAscii(): string', ascii(/[a-z]+/g, (text) => text.toUpperCase())],
  ['string.replace(string, string): string', (a: string, b: string, c: string) => replace(a, b, c, -1n)],
  ['string.replace(string, string, int): string', replace],
  ['string.split(string): list<string>', (text: string, by: string) => split(text, by, -1n)],
  ['string.split(string, int): list<string>', split],
  ['string.substring(int): string', (text: string, start: bigint) => substring(text, start)],
  ['string.substring(int, int): string', substring],
  ['string.trim(): string', (text: string) => trim(text)],
  ['list<string>.join(): string', (list: List) => join(list, '')],
  ['list<string>.join(string): string', join],
  ['string.format(list<dyn>): string', formatText],
  ['#strings.quote(string): string', quoteText],
];

const trim = (text: string): string => text.replaceAll(edges, '');
