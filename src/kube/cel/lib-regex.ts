import { RE2JS, RE2JSException } from 're2js';
import type { Row } from './overload.ts';
import { failed, listOf, type CelError, type Value } from './value.ts';

const known = new Map<string, RE2JS | CelError>();
const mostKnown = 2000;
const longestPattern = 20_000;

/** Patterns are RE2's: their time grows with text times pattern and no faster. */
function compiled(source: string): RE2JS | CelError {
  const before = known.get(source);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const made = compile(source);
  known.set(source, made);
  return made;
}

function compile(source: string): RE2JS | CelError {
  const fault = patternFault(source);
  return fault === undefined ? RE2JS.compile(source) : failed(fault);
}

/** Why a text is no pattern, in the words of Go's parser; undefined when it is one. */
export function patternFault(source: string): string | undefined {
  if (source.length > longestPattern) return 'error parsing regexp: expression too large';
  try {
    RE2JS.compile(source);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSException || error instanceof RangeError) return error.message;
    throw error;
  }
}

const isBad = (pattern: RE2JS | CelError): pattern is CelError => 'kind' in pattern;

export function matchPattern(text: string, source: string): Value {
  const pattern = compiled(source);
  return isBad(pattern) ? pattern : pattern.test(text);
}

function find(text: string, source: string): Value {
  const found = findAll(text, source, 1n);
  return 'at' in found ? (found.length === 0 ? '' : found.at(0)) : found;
}

function findAll(text: string, source: string, most: bigint): ReturnType<typeof listOf> | CelError {
  const pattern = compiled(source);
  if (isBad(pattern)) return failed(`Illegal regex: ${pattern.message}`);
  const found: string[] = [];
  const matcher = pattern.matcher(text);
  while ((most < 0n || BigInt(found.length) < most) && matcher.find()) found.push(matcher.group() ?? '');
  return listOf(found);
}

export const regex: readonly Row[] = [
  ['string.find(string): string', find],
  ['string.findAll(string): list<string>', (text: string, source: string) => findAll(text, source, -1n)],
  ['string.findAll(string, int): list<string>', findAll],
];
