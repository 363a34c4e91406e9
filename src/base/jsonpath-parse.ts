import { integerFrom } from './integer.ts';

/** One step of a path, applied to every value found so far. */
export type PathStep =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'every' }
  | { readonly type: 'descend' }
  | {
      readonly type: 'slice';
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly by: number;
    }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'union'; readonly branches: readonly (readonly PathStep[])[] }
  | { readonly type: 'filter'; readonly left: Operand; readonly test: Test | undefined };

export type PathComparison = '==' | '!=' | '<' | '>' | '<=' | '>=';
export type Test = { readonly operator: PathComparison; readonly right: Operand };
/** A side of a filter: a constant, or a path from the list's item (`@`) or from the whole object (`$`). */
export type Operand =
  | { readonly type: 'constant'; readonly value: string | number | bigint | boolean }
  | { readonly type: 'path'; readonly from: 'item' | 'root'; readonly steps: readonly PathStep[] };

/** The text is not a JSONPath we know, or following it took too many steps. */
export class JsonPathError extends Error {
  readonly path: string;
  constructor(path: string, why: string) {
    super(why);
    this.name = 'JsonPathError';
    this.path = path;
  }
}

const longestPath = 4096;
const deepestFilter = 8;

/** Parses `.a.b`, `$.a.b` or either in braces. */
export function parsePath(text: string): readonly PathStep[] {
  const trimmed = text.trim();
  if (trimmed.length > longestPath) throw new JsonPathError(text.slice(0, 80), 'the path is too long');
  const inner = trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1).trim() : trimmed;
  if (inner === '') throw new JsonPathError(text, 'the path is empty');
  const start = inner.startsWith('$') || inner.startsWith('@') ? 1 : 0;
  return parseSteps({ text: inner, depth: 0 }, start);
}

type Source = { readonly text: string; readonly depth: number };
type Read = { readonly steps: readonly PathStep[]; readonly next: number };

function parseSteps(source: Source, start: number): readonly PathStep[] {
  const steps: PathStep[] = [];
  let position = start;
  while (position < source.text.length) {
    const read = readStep(source, position);
    steps.push(...read.steps);
    position = read.next;
  }
  return steps;
}

function readStep(source: Source, start: number): Read {
  const { text } = source;
  if (text[start] === '[') return readBrackets(source, start);
  if (text[start] !== '.') throw new JsonPathError(text, `unrecognized identifier ${text.slice(start)}`);
  if (text[start + 1] === '.') return readDescent(source, start);
  // A bracket after a dot stands for itself: `.spec.['a']` and `.['a']` are common.
  if (text[start + 1] === '[') return { steps: [], next: start + 1 };
  return readField(text, start + 1);
}

function readDescent(source: Source, start: number): Read {
  const { text } = source;
  const next = start + 2;
  if (next >= text.length) return { steps: [{ type: 'descend' }], next };
  if (text[next] === '.') throw new JsonPathError(text, 'invalid multiple recursive descent');
  const after = text[next] === '[' ? readBrackets(source, next) : readField(text, next);
  return { steps: [{ type: 'descend' }, ...after.steps], next: after.next };
}

const fieldEnds = new Set([' ', '\t', '\n', '\r', '.', ',', '[', ']', '$', '@', '{', '}']);

function readField(text: string, start: number): Read {
  let name = '';
  let position = start;
  while (position < text.length) {
    const character = text.charAt(position);
    if (fieldEnds.has(character)) break;
    const escaped = character === '\\' ? 1 : 0;
    name += text.charAt(position + escaped);
    position += 1 + escaped;
  }
  if (position === start) {
    // A lone dot is the whole object, as in `{.}`.
    if (start >= text.length) return { steps: [], next: start };
    throw new JsonPathError(text, `unrecognized character in action: ${text.charAt(position)}`);
  }
  const wild = text.slice(start, position) === '*';
  return { steps: [wild ? { type: 'every' } : { type: 'key', key: name }], next: position };
}

function readBrackets(source: Source, start: number): Read {
  const { text } = source;
  const end = closing(text, start);
  if (end < 0)
    throw new JsonPathError(text, text[start + 1] === '?' ? 'unterminated filter' : 'unterminated array');
  const inner = text.slice(start + 1, end).trim();
  if (inner.startsWith('?')) return { steps: [readFilter(source, inner)], next: end + 1 };
  const parts = splitOutsideQuotes(inner);
  if (parts.length === 1) return { steps: [readSubscript(text, inner)], next: end + 1 };
  const branches = parts.map((part) => [readSubscript(text, part.trim())]);
  return { steps: [{ type: 'union', branches }], next: end + 1 };
}

/** Where the bracket opened at `start` closes, minding quotes and brackets inside; -1 when it does not. */
function closing(text: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let i = start; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (character === '\\') i += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '[') depth += 1;
    else if (character === ']') depth -= 1;
    if (depth === 0) return i;
  }
  return -1;
}

function splitOutsideQuotes(text: string): readonly string[] {
  return text.match(/(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,])+/g) ?? [text];
}

const quoted = /^(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")$/s;
const sliceShape = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/;

function unquote(text: string): string | undefined {
  const match = quoted.exec(text);
  return match === null ? undefined : (match[1] ?? match[2] ?? '').replaceAll(/\\(.)/gs, '$1');
}

function readSubscript(text: string, inner: string): PathStep {
  if (inner === '*') return { type: 'every' };
  const key = unquote(inner);
  if (key !== undefined) return { type: 'key', key };
  const match = sliceShape.exec(inner);
  if (match === null || inner === '' || inner.includes('-:') || inner.endsWith('-')) {
    throw new JsonPathError(text, `invalid array index ${inner}`);
  }
  if (!inner.includes(':')) return { type: 'index', index: Number(inner) };
  const by = sliceNumber(match[3]) ?? 1;
  if (by <= 0) throw new JsonPathError(text, 'step must be > 0');
  return { type: 'slice', from: sliceNumber(match[1]), to: sliceNumber(match[2]), by };
}

const sliceNumber = (text: string | undefined): number | undefined =>
  text === undefined || text === '' ? undefined : Number(text);

const filterShape = /^\?\s*\((.*)\)$/s;
const operators: ReadonlySet<string> = new Set(['==', '!=', '<', '>', '<=', '>=']);
const isOperator = (text: string): text is PathComparison => operators.has(text);

function readFilter(source: Source, inner: string): PathStep {
  const match = filterShape.exec(inner);
  if (match === null) throw new JsonPathError(source.text, 'unterminated filter');
  if (source.depth >= deepestFilter) throw new JsonPathError(source.text, 'filters are nested too deeply');
  const expression = match[1] ?? '';
  const found = findOperator(expression);
  const side = (text: string): Operand => readOperand({ text: text.trim(), depth: source.depth + 1 });
  if (found === undefined) return { type: 'filter', left: side(expression), test: undefined };
  const operator = expression.slice(found.start, found.end);
  if (!isOperator(operator)) throw new JsonPathError(source.text, `unrecognized filter operator ${operator}`);
  const right = side(expression.slice(found.end));
  return { type: 'filter', left: side(expression.slice(0, found.start)), test: { operator, right } };
}

/** The first run of `!<>=` outside quotes and brackets. */
function findOperator(text: string): { start: number; end: number } | undefined {
  const pattern = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[[\]]|[!<>=]+/gs;
  let depth = 0;
  for (const match of text.matchAll(pattern)) {
    const piece = match[0];
    if (piece === '[') depth += 1;
    else if (piece === ']') depth -= 1;
    else if (depth === 0 && '!<>='.includes(piece.charAt(0))) {
      return { start: match.index, end: match.index + piece.length };
    }
  }
  return undefined;
}

const numberShape = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

const numberOf = (text: string): number | bigint =>
  text.includes('.') ? Number(text) : integerFrom(text.replace('+', ''));

function readOperand(source: Source): Operand {
  const { text } = source;
  const constant = unquote(text);
  if (constant !== undefined) return { type: 'constant', value: constant };
  if (text === 'true' || text === 'false') return { type: 'constant', value: text === 'true' };
  if (numberShape.test(text)) return { type: 'constant', value: numberOf(text) };
  if (text.startsWith('@')) return { type: 'path', from: 'item', steps: parseSteps(source, 1) };
  if (text.startsWith('$')) return { type: 'path', from: 'root', steps: parseSteps(source, 1) };
  if (text.startsWith('.') || text.startsWith('['))
    return { type: 'path', from: 'item', steps: parseSteps(source, 0) };
  throw new JsonPathError(text, `unrecognized identifier ${text}`);
}
