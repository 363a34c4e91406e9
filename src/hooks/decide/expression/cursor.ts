import type { Token } from './lex.ts';
import type { Node } from './node.ts';
import type { Fault } from './problem.ts';

export type Parser = {
  readonly source: string;
  readonly tokens: readonly Token[];
  next: number;
  closures: number;
  nesting: number;
  /** The first fault. Once it is set, the next token is the end, and all parse functions return. */
  fault: Fault | undefined;
};

const end: Token = { type: 'end', text: '', from: 0, to: 0 };
export const peek = (parser: Parser): Token => parser.tokens[parser.next] ?? end;
/** The end of the last token. */
export const previousEnd = (parser: Parser): number => parser.tokens[parser.next - 1]?.to ?? 0;

export const isAt = (parser: Parser, text: string): boolean => {
  const token = peek(parser);
  return token.type === 'operator' && token.text === text;
};

export function accept(parser: Parser, text: string): boolean {
  const found = isAt(parser, text);
  if (found) parser.next += 1;
  return found;
}

/** Reads a token that must be there; without it the parser fails. */
export function expect(parser: Parser, text: string): boolean {
  if (accept(parser, text)) return true;
  unexpected(parser, `${text} is missing here`);
  return false;
}

export function fail(parser: Parser, fault: Fault): Node {
  parser.fault ??= fault;
  parser.next = parser.tokens.length - 1;
  return { type: 'literal', value: null, from: fault.at, to: fault.at, at: fault.at };
}

export function unexpected(parser: Parser, wanted?: string): Node {
  const token = peek(parser);
  const at = token.from;
  const why = wanted === undefined ? '' : `: ${wanted}`;
  if (token.type === 'end') return fail(parser, { at, reason: `the expression ends too early${why}` });
  return fail(parser, {
    at,
    reason: `unexpected ${parser.source.slice(at, Math.min(token.to, at + 30))}${why}`,
  });
}
