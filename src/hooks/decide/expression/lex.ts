import { readNumber, readText, type Literal } from './literal.ts';
import type { Fault } from './problem.ts';

export type Token = { readonly from: number; readonly to: number } & (
  | { readonly type: 'literal'; readonly text: string; readonly value: bigint | number | string }
  | { readonly type: 'name'; readonly text: string }
  /** Brackets and commas too, and the operators that are words. */
  | { readonly type: 'operator'; readonly text: string }
  | { readonly type: 'end'; readonly text: string }
);

type Lexed =
  | { readonly type: 'lexed'; readonly tokens: readonly Token[] }
  | { readonly type: 'bad'; readonly fault: Fault };

/** Splits the source into tokens, the last of them the end. */
export function lex(source: string): Lexed {
  const tokens: Token[] = [];
  let at = skipSpace(source, 0);
  while (at < source.length) {
    const token = readToken(source, at);
    if (!('type' in token)) return { type: 'bad', fault: token };
    tokens.push(token);
    at = skipSpace(source, token.to);
  }
  tokens.push({ type: 'end', text: '', from: at, to: at });
  return { type: 'lexed', tokens };
}

function readToken(source: string, at: number): Token | Fault {
  const number = match(numberShape, source, at);
  if (number !== '') return readNumberToken(source, at, number);
  const name = match(nameShape, source, at);
  if (name !== '') return readWord(source, at, name);
  const quote = source.charAt(at);
  if (quote === '"' || quote === "'") return readTextToken(source, at);
  const operator = match(operatorShape, source, at);
  if (operator !== '') return { type: 'operator', text: operator, from: at, to: at + operator.length };
  return strangeCharacter(source, at);
}

const space = /\s*/y;
const numberShape =
  /0[xX][0-9a-fA-F_]*|(?:[0-9][0-9_]*(?:\.(?!\.)[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]*)?/y;
const nameShape = /[\p{L}_$][\p{L}\p{Nd}_$]*/uy;
const operatorShape = /\*\*|==|!=|<=|>=|&&|\|\||\.\.|[-+*/%<>!?:,.#()[\]{}]/y;
const inShape = /\s+in(?![\p{L}\p{Nd}_$])/uy;

function match(shape: RegExp, source: string, at: number): string {
  shape.lastIndex = at;
  return shape.exec(source)?.[0] ?? '';
}

const skipSpace = (source: string, at: number): number => at + match(space, source, at).length;

function readNumberToken(source: string, at: number, text: string): Token | Fault {
  const to = at + text.length;
  const behind = match(nameShape, source, to);
  if (behind !== '') return { at, reason: `${text}${behind.slice(0, 20)} is not a number` };
  return literalToken(readNumber(text), { from: at, to, text });
}

function literalToken(
  read: Literal<bigint | number | string>,
  { from, to, text }: { readonly from: number; readonly to: number; readonly text: string },
): Token | Fault {
  if (read.type === 'bad') return { at: from, reason: read.reason };
  return { type: 'literal', text, value: read.value, from, to };
}

const words = new Set(['in', 'matches', 'contains', 'startsWith', 'endsWith']);
const synonyms: Readonly<Record<string, string>> = { and: '&&', or: '||' };

function readWord(source: string, from: number, word: string): Token {
  const to = from + word.length;
  if (word === 'not') {
    const more = match(inShape, source, to);
    return { type: 'operator', text: more === '' ? '!' : 'not in', from, to: to + more.length };
  }
  if (words.has(word)) return { type: 'operator', text: word, from, to };
  if (Object.hasOwn(synonyms, word)) return { type: 'operator', text: synonyms[word] ?? word, from, to };
  return { type: 'name', text: word, from, to };
}

function readTextToken(source: string, from: number): Token | Fault {
  const quote = source.charAt(from);
  let to = from + 1;
  while (to < source.length && source.charAt(to) !== quote && source.charAt(to) !== '\n')
    to += source.charAt(to) === '\\' ? 2 : 1;
  if (source.charAt(to) !== quote)
    return { at: from, reason: `a text that begins with ${quote} does not end` };
  const text = source.slice(from, to + 1);
  return literalToken(readText(text.slice(1, -1)), { from, to: to + 1, text });
}

const meant: Readonly<Record<string, string>> = {
  '=': 'write == to compare',
  '&': 'write && or and',
  '|': 'write || or or',
  '^': 'write ** for powers',
  '`': 'write texts in " or \'',
};

function strangeCharacter(source: string, at: number): Fault {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const hint = meant[character];
  const reason = `the character ${JSON.stringify(character)} has no meaning here`;
  return hint === undefined ? { at, reason } : { at, reason, hint };
}
