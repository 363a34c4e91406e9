import { accept, expect, fail, isAt, peek, previousEnd, unexpected, type Parser } from './cursor.ts';
import { lex, type Token } from './lex.ts';
import { bindingOf, bindingOfUnary, isBinary, isUnary } from './precedence.ts';
import { limits } from './limits.ts';
import { eachNames, type Each, type Node, type MapPair } from './node.ts';
import { isTooDeep } from './depth.ts';
import type { Fault } from './problem.ts';

type Parsed =
  { readonly type: 'parsed'; readonly node: Node } | { readonly type: 'bad'; readonly fault: Fault };

/** The syntax tree of a condition. */
export function parse(source: string): Parsed {
  if (source.length > limits.source) {
    const reason = `the expression has ${source.length} characters, and ${limits.source} are allowed`;
    return { type: 'bad', fault: { at: 0, reason } };
  }
  const lexed = lex(source);
  if (lexed.type === 'bad') return lexed;
  const parser: Parser = { source, tokens: lexed.tokens, next: 0, closures: 0, nesting: 0, fault: undefined };
  const node = parseExpression(parser, 0);
  if (peek(parser).type !== 'end') unexpected(parser);
  if (parser.fault !== undefined) return { type: 'bad', fault: parser.fault };
  if (isTooDeep(node)) return { type: 'bad', fault: { at: 0, reason: tooDeep } };
  return { type: 'parsed', node };
}

const tooDeep = 'the expression is nested too deeply';

function parseExpression(parser: Parser, power: number): Node {
  if (parser.nesting >= limits.nesting) return fail(parser, { at: peek(parser).from, reason: tooDeep });
  parser.nesting += 1;
  let left = parsePrimary(parser);
  for (let token = peek(parser); token.type === 'operator' && isBinary(token.text); token = peek(parser)) {
    const operator = token.text;
    const binding = bindingOf(operator);
    if (binding < power) break;
    parser.next += 1;
    // Only ** is right-associative.
    const right = parseExpression(parser, operator === '**' ? binding : binding + 1);
    left = { type: 'binary', operator, left, right, from: left.from, to: right.to, at: token.from };
  }
  if (power === 0) left = parseChoice(parser, left);
  parser.nesting -= 1;
  return left;
}

function parseChoice(parser: Parser, when: Node): Node {
  let node = when;
  while (isAt(parser, '?')) {
    const at = peek(parser).from;
    parser.next += 1;
    // `a ?: b` is `a ? a : b`. Where a is chosen it is true, so it is not evaluated again.
    const chosen = isAt(parser, ':') ? truth(at) : parseExpression(parser, 0);
    expect(parser, ':');
    const otherwise = parseExpression(parser, 0);
    node = { type: 'choice', when: node, chosen, otherwise, from: when.from, to: otherwise.to, at };
  }
  return node;
}

const truth = (at: number): Node => ({ type: 'literal', value: true, from: at, to: at, at });

function parsePrimary(parser: Parser): Node {
  const token = peek(parser);
  if (token.type === 'literal') {
    parser.next += 1;
    return parsePostfix(parser, { ...place(token), type: 'literal', value: token.value });
  }
  if (token.type === 'name') {
    parser.next += 1;
    return parsePostfix(parser, parseName(parser, token));
  }
  if (token.type === 'end') return unexpected(parser);
  if (isUnary(token.text)) {
    parser.next += 1;
    const of = parseExpression(parser, bindingOfUnary(token.text));
    return { type: 'unary', operator: token.text, of, from: token.from, to: of.to, at: token.from };
  }
  return parseBracketed(parser, token);
}

const place = (token: Token): { from: number; to: number; at: number } => ({
  from: token.from,
  to: token.to,
  at: token.from,
});

function parseBracketed(parser: Parser, token: Token): Node {
  switch (token.text) {
    case '(': {
      parser.next += 1;
      const inner = parseExpression(parser, 0);
      expect(parser, ')');
      return parsePostfix(parser, { ...inner, from: token.from, to: previousEnd(parser) });
    }
    case '[':
      return parsePostfix(parser, parseList(parser, token));
    case '{':
      return parsePostfix(parser, parseMap(parser, token));
    case '#':
    case '.':
      return parseItem(parser, token);
    default:
      return unexpected(parser);
  }
}

/** `#`, or `.field` for `#.field`. */
function parseItem(parser: Parser, token: Token): Node {
  if (parser.closures === 0)
    return fail(parser, {
      at: token.from,
      reason: `${token.text} has a meaning only inside { } of all, any and the like`,
    });
  if (token.text === '.')
    return parsePostfix(parser, { type: 'item', from: token.from, to: token.from, at: token.from });
  parser.next += 1;
  return parsePostfix(parser, { ...place(token), type: 'item' });
}

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['nil', null],
]);
const eaches: ReadonlySet<string> = new Set<Each>(eachNames);
const isEach = (name: string): name is Each => eaches.has(name);

function parseName(parser: Parser, token: Token): Node {
  const value = constants.get(token.text);
  if (value !== undefined) return { ...place(token), type: 'literal', value };
  if (!accept(parser, '(')) return { ...place(token), type: 'name', name: token.text };
  if (isEach(token.text)) return parseEach(parser, token, token.text);
  const args = parseSequence(parser, ')', () => parseExpression(parser, 0));
  return { ...place(token), type: 'call', name: token.text, args, to: previousEnd(parser) };
}

function parseEach(parser: Parser, token: Token, name: Each): Node {
  const list = parseExpression(parser, 0);
  expect(parser, ',');
  const braced = accept(parser, '{');
  parser.closures += 1;
  const body = parseExpression(parser, 0);
  parser.closures -= 1;
  if (braced) expect(parser, '}');
  expect(parser, ')');
  return { ...place(token), type: 'each', name, list, body, to: previousEnd(parser) };
}

function parseList(parser: Parser, token: Token): Node {
  parser.next += 1;
  const items = parseSequence(parser, ']', () => parseExpression(parser, 0));
  return { ...place(token), type: 'list', items, to: previousEnd(parser) };
}

function parseMap(parser: Parser, token: Token): Node {
  parser.next += 1;
  const pairs = parseSequence(parser, '}', () => parsePair(parser));
  return { ...place(token), type: 'map', pairs, to: previousEnd(parser) };
}

/** Parts up to a closing bracket, with an optional comma at the end. */
function parseSequence<T>(parser: Parser, close: string, parsePart: () => T): readonly T[] {
  const parts: T[] = [];
  while (!isAt(parser, close) && parser.fault === undefined) {
    if (parts.length > 0) {
      expect(parser, ',');
      if (isAt(parser, close)) break;
    }
    parts.push(parsePart());
  }
  expect(parser, close);
  return parts;
}

/** A key is a name, a text, a number, or an expression in parentheses. */
function parsePair(parser: Parser): MapPair {
  const token = peek(parser);
  const key = isAt(parser, '(') ? parsePrimary(parser) : parseKey(parser, token);
  expect(parser, ':');
  return { key, value: parseExpression(parser, 0) };
}

function parseKey(parser: Parser, token: Token): Node {
  if (token.type !== 'name' && token.type !== 'literal') return unexpected(parser, 'a key is missing here');
  parser.next += 1;
  const value = token.type === 'literal' && typeof token.value === 'string' ? token.value : token.text;
  return { ...place(token), type: 'literal', value };
}

function parsePostfix(parser: Parser, start: Node): Node {
  let node = start;
  while (parser.fault === undefined) {
    const at = peek(parser).from;
    if (accept(parser, '.')) node = parseMember(parser, node);
    else if (accept(parser, '[')) node = parseSubscript(parser, node, at);
    else break;
  }
  return node;
}

const memberName = /^[\p{L}_$][\p{L}\p{Nd}_$]*$/u;

function parseMember(parser: Parser, of: Node): Node {
  const token = peek(parser);
  // Operators that are words can be names of members.
  const key = parser.source.slice(token.from, token.to);
  if (!memberName.test(key)) return unexpected(parser, 'the name of a member is missing here');
  parser.next += 1;
  if (isAt(parser, '('))
    return fail(parser, { at: token.from, reason: `${key} is called, but values have no methods` });
  return { type: 'member', of, key, from: of.from, to: token.to, at: token.from };
}

function parseSubscript(parser: Parser, of: Node, at: number): Node {
  const start = isAt(parser, ':') ? undefined : parseExpression(parser, 0);
  const common = { of, from: of.from, at };
  if (start !== undefined && !isAt(parser, ':')) {
    expect(parser, ']');
    return { ...common, type: 'index', index: start, to: previousEnd(parser) };
  }
  expect(parser, ':');
  const end = isAt(parser, ']') ? undefined : parseExpression(parser, 0);
  expect(parser, ']');
  return { ...common, type: 'slice', start, end, to: previousEnd(parser) };
}
