import { shorten } from '#base/text.ts';
import { JsonPathError } from '#base/jsonpath-parse.ts';
import { compileJsonPath, type JsonPath } from '#base/jsonpath.ts';

/** A template in parts. `text` of a path is what its author wrote. */
export type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly text: string; readonly path: JsonPath }
  | {
      readonly type: 'range';
      readonly text: string;
      readonly path: JsonPath;
      readonly parts: readonly TemplatePart[];
    };

export type ParsedTemplate =
  | { readonly type: 'parts'; readonly parts: readonly TemplatePart[] }
  | { readonly type: 'problem'; readonly message: string };

const longestTemplate = 16_384;
const deepestRange = 8;

type Open = { readonly text: string; readonly path: JsonPath; readonly parts: TemplatePart[] };

/** Takes a template apart. */
export function parseTemplate(text: string): ParsedTemplate {
  if (text.length > longestTemplate)
    return problem(`the template is longer than ${longestTemplate} characters`);
  const whole: TemplatePart[] = [];
  const open: Open[] = [];
  let position = 0;
  while (position < text.length) {
    const start = text.indexOf('{', position);
    const parts = open.at(-1)?.parts ?? whole;
    const plain = start < 0 ? text.slice(position) : text.slice(position, start);
    if (plain !== '') parts.push({ type: 'text', text: plain });
    if (start < 0) break;
    const end = closingBrace(text, start);
    if (end < 0) return problem(`unclosed action: "${excerpt(text.slice(start))}" has no }`);
    const why = readAction(text.slice(start + 1, end).trim(), whole, open);
    if (why !== undefined) return problem(why);
    position = end + 1;
  }
  const unended = open.at(-1);
  return unended === undefined
    ? { type: 'parts', parts: whole }
    : problem(`{range ${excerpt(unended.text)}} has no {end}`);
}

/** Adds what stands between two braces; the answer says why it cannot be. */
function readAction(action: string, whole: TemplatePart[], open: Open[]): string | undefined {
  const parts = open.at(-1)?.parts ?? whole;
  if (action === '') return 'empty braces {}: write a path such as {.status}';
  const quoted = unquote(action);
  if (quoted !== undefined) return void parts.push({ type: 'text', text: quoted });
  if (action === 'end') return endRange(whole, open);
  const range = /^range\s+(.*)$/s.exec(action)?.[1];
  const text = range ?? action;
  const path = compilePath(text);
  if (typeof path === 'string') return path;
  if (range === undefined) return void parts.push({ type: 'path', text, path });
  if (open.length >= deepestRange) return `ranges are nested more than ${deepestRange} levels deep`;
  open.push({ text, path, parts: [] });
  return undefined;
}

function endRange(whole: TemplatePart[], open: Open[]): string | undefined {
  const ended = open.pop();
  if (ended === undefined) return '{end} without {range}';
  (open.at(-1)?.parts ?? whole).push({ type: 'range', ...ended });
  return undefined;
}

function compilePath(text: string): JsonPath | string {
  try {
    return compileJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return `{${excerpt(text)}}: ${error.message}`;
    throw error;
  }
}

/** Where the brace opened at `start` closes, minding quotes; -1 when it does not. */
function closingBrace(text: string, start: number): number {
  let quote = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '}') return at;
  }
  return -1;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/** The text in quotes, with its escapes read; undefined when it is not one text in quotes. */
function unquote(text: string): string | undefined {
  const inner = /^(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')$/s.exec(text);
  if (inner === null) return undefined;
  return (inner[1] ?? inner[2] ?? '').replaceAll(
    /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/gs,
    (_all, four?: string, two?: string, one = '') =>
      four === undefined && two === undefined
        ? (escapes[one] ?? one)
        : String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
  );
}

const problem = (message: string): ParsedTemplate => ({ type: 'problem', message });
const excerpt = (text: string): string => shorten(text, 80);
