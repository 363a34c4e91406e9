import { RE2JS, RE2JSException } from 're2js';
import type { OverloadRow } from './overload.ts';
import { failed, listOf, type CelError, type CelValue } from './value.ts';

type Known = { readonly pattern: RE2JS | CelError; readonly weight: number };

const known = new Map<string, Known>();
const mostKnown = 2000;
const longestPattern = 20_000;

/** Patterns are RE2's: their time grows with text times pattern and no faster. */
function compiled(source: string): RE2JS | CelError {
  const before = known.get(source);
  if (before !== undefined) return before.pattern;
  if (known.size >= mostKnown) known.clear();
  const pattern = compile(source);
  known.set(source, { pattern, weight: weightOf(source) });
  return pattern;
}

function compile(source: string): RE2JS | CelError {
  if (source.length > longestPattern) return failed('error parsing regexp: expression too large');
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException || error instanceof RangeError) return failed(error.message);
    throw error;
  }
}

/** Why a text is not a valid pattern, with the text of Go's parser; undefined when it is valid. */
export function patternFault(source: string): string | undefined {
  const pattern = compiled(source);
  return isBad(pattern) ? pattern.message : undefined;
}

/** About as many as the pattern has states: repetitions are written out inside. */
function weightOf(source: string): number {
  let weight = 1 + source.length;
  for (const [, low = '0', high = ''] of source.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g))
    weight += Math.max(Number(low), Number(high));
  return weight;
}

/** Real steps of a match: a pattern that was never seen must be compiled first. */
export function patternEffort([text, source]: readonly CelValue[]): number {
  if (typeof text !== 'string' || typeof source !== 'string') return 0;
  const before = known.get(source);
  if (before !== undefined) return ((1 + text.length) * before.weight) / 4;
  const weight = weightOf(source);
  return ((1 + text.length) * weight) / 4 + 50 * weight;
}

const isBad = (pattern: RE2JS | CelError): pattern is CelError => 'kind' in pattern;

export function matchPattern(text: string, source: string): CelValue {
  const pattern = compiled(source);
  return isBad(pattern) ? pattern : pattern.test(text);
}

function find(text: string, source: string): CelValue {
  const found = findAll(text, source, 1n);
  return 'at' in found ? (found.length === 0 ? '' : found.at(0)) : found;
}

function findAll(text: string, source: string, most: bigint): ReturnType<typeof listOf> | CelError {
  const pattern = compiled(source);
  if (isBad(pattern)) return failed(`Illegal regex: ${pattern.message}`);
  const found: string[] = [];
  const limit = most < 0n ? Number.POSITIVE_INFINITY : Number(most);
  const matcher = pattern.matcher(text);
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return listOf(found);
}

export const regex: readonly OverloadRow[] = [
  ['string.find(string): string', find],
  ['string.findAll(string): list<string>', (text: string, source: string) => findAll(text, source, -1n)],
  ['string.findAll(string, int): list<string>', findAll],
];
