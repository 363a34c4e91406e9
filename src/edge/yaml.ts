import type * as Yaml from 'yaml';
import type { Alias, CST, Document, LineCounter, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isArray, isNumber, isObject, type Json } from '#base/json.ts';
import { lazyPackage } from './lazy-package.ts';
import { offsetOf } from './yaml-offset.ts';
import { isBeyondJson, plainScalar } from './yaml-scalar.ts';

const yaml = lazyPackage('yaml') as () => typeof Yaml;
const isAlias = (node: unknown): node is Alias => yaml().isAlias(node);
const isMap = (node: unknown): node is YAMLMap => yaml().isMap(node);
const isScalar = (node: unknown): node is Scalar => yaml().isScalar(node);
const isSeq = (node: unknown): node is YAMLSeq => yaml().isSeq(node);

/** The text is not YAML, or has no JSON form. */
export class YamlInvalid extends Error {
  readonly line: number;
  constructor(line: number, why: string) {
    super(`yaml: line ${line}: ${why}`);
    this.name = 'YamlInvalid';
    this.line = line;
  }
}

const deepest = 500;
/** How many lexemes a text may have (a line `key: value` has about eight): each costs the parser some µs. */
const mostLexemes = 300_000;
/** How many values all aliases together may stand for. */
const mostAliased = 100_000;

/**
 * The documents of a text; empty ones are left out. Of a key given twice the last value counts. The values of `texts`
 * are kept as they are written: `0123` is a password, not the number 83.
 */
export function parseYaml(text: string, texts: ReadonlySet<string> = new Set()): readonly Json[] {
  return parseYamlStrict(text, texts).documents;
}

/** Errors for which libyaml, which Kubernetes uses, has its own text. */
const reasons: Readonly<Record<string, string>> = {
  BAD_INDENT: 'did not find expected node content',
  MISSING_CHAR: 'did not find expected node content',
};

/** The same, with a message for every duplicate key: `line 7: key "a" already set in map`. */
export function parseYamlStrict(
  text: string,
  texts: ReadonlySet<string> = new Set(),
): {
  readonly documents: readonly Json[];
  readonly duplicates: readonly string[];
} {
  const { documents, duplicates } = parseLocatedYaml(text, texts);
  return { documents: documents.map(({ value }) => value), duplicates };
}

/** A document, and the line of each of its fields. */
export type LocatedDocument = {
  readonly value: Json;
  /** The line, from 1, of a path such as `spec.steps[0].pause`, or of the nearest field above it that is written. */
  readonly lineOf: (path: string) => number;
};

/** The same, with the lines of fields. */
export function parseLocatedYaml(
  text: string,
  texts: ReadonlySet<string> = new Set(),
): { readonly documents: readonly LocatedDocument[]; readonly duplicates: readonly string[] } {
  const { Composer, LineCounter } = yaml();
  const lines = new LineCounter();
  const reader = new Reader(lines, texts);
  // Scalars are read as texts here and judged by our own rules; keys likewise.
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  const documents: LocatedDocument[] = [];
  for (const document of composer.compose(tokensOf(text, lines))) {
    const { errors, contents } = document;
    const [error] = errors;
    if (error !== undefined)
      throw new YamlInvalid(lines.linePos(error.pos[0]).line, reasons[error.code] ?? error.message);
    if (contents === null || isEmpty(contents)) continue;
    const value = reader.read(contents);
    documents.push({ value, lineOf: (path) => lineOfPath(document, lines, path) });
  }
  return { documents, duplicates: reader.duplicates };
}

function lineOfPath(document: Document, lines: LineCounter, path: string): number {
  return lines.linePos(offsetOf(yaml(), document, path)).line;
}

/** The parser's time grows with the square of the depth, so too much of it or of anything is refused on the way. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  const { Lexer, Parser } = yaml();
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const refuse = (why: string): never => {
    throw new YamlInvalid(lines.linePos(parser.offset).line, why);
  };
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > deepest) refuse('the document is nested too deeply');
    if (++count > mostLexemes) refuse('the document has too many nodes');
  }
  yield* parser.end();
}

const isEmpty = (node: unknown): boolean => isScalar(node) && node.source === '' && node.type === 'PLAIN';

/** Turns the parser's nodes into JSON, one document after the other. */
class Reader {
  readonly duplicates: string[] = [];
  readonly #lines: LineCounter;
  readonly #texts: ReadonlySet<string>;
  #anchors = new Map<string, unknown>();
  #aliases = 0;
  #aliased = 0;

  constructor(lines: LineCounter, texts: ReadonlySet<string>) {
    this.#lines = lines;
    this.#texts = texts;
  }

  read(contents: unknown): Json {
    this.#anchors = new Map();
    return this.#value(contents);
  }

  #value(node: unknown): Json {
    if (isAlias(node)) return this.#alias(node);
    if (this.#aliases > 0 && ++this.#aliased > mostAliased)
      this.#refuse(node, 'document contains excessive aliasing');
    if (isScalar(node)) {
      this.#remember(node);
      return this.#scalar(node);
    }
    const value = isMap(node)
      ? this.#map(node)
      : isSeq(node)
        ? node.items.map((item) => this.#value(item))
        : null;
    // Only now: a value cannot contain itself.
    this.#remember(node);
    return value;
  }

  #remember(node: unknown): void {
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
      this.#anchors.set(node.anchor, node);
  }

  #alias(alias: Alias): Json {
    if (!this.#anchors.has(alias.source)) this.#refuse(alias, `unknown anchor '${alias.source}' referenced`);
    this.#aliases++;
    const value = this.#value(this.#anchors.get(alias.source));
    this.#aliases--;
    return value;
  }

  #map(node: YAMLMap): Json {
    const entries = new Map<string, Json>();
    const merged: Json[] = [];
    for (const { key, value } of node.items) {
      if (isScalar(key) && key.source === '<<' && key.type === 'PLAIN') {
        merged.push(this.#merge(value));
        continue;
      }
      const name = this.#key(key);
      if (entries.has(name)) {
        this.duplicates.push(`line ${this.#lineOf(key)}: key ${JSON.stringify(name)} already set in map`);
      }
      entries.set(name, this.#texts.has(name) ? this.#text(value) : this.#value(value));
    }
    const sources = merged.flatMap((each) => (isArray(each) ? each : [each])).filter(isObject);
    for (const [name, value] of sources.flatMap((each) => Object.entries(each))) {
      if (!entries.has(name)) entries.set(name, value);
    }
    return Object.fromEntries(entries);
  }

  #merge(value: unknown): Json {
    const merged = this.#value(value);
    const fits = isObject(merged) || (isArray(merged) && merged.every(isObject));
    return fits ? merged : this.#refuse(value, 'map merge requires map or sequence of maps as the value');
  }

  #key(node: unknown): string {
    const key = isScalar(node) || isAlias(node) ? this.#value(node) : null;
    return typeof key === 'object'
      ? this.#refuse(node, 'a key must be a text, a number or a boolean')
      : String(key);
  }

  /** What is written there, unless nothing is. */
  #text(node: unknown): Json {
    const value = isScalar(node) && isBeyondJson(node.source ?? '') ? (node.source ?? '') : this.#value(node);
    const isOther = isNumber(value) || typeof value === 'boolean';
    return isOther && isScalar(node) ? (node.source ?? '') : value;
  }

  #scalar(node: Scalar): Json {
    const text = node.source ?? '';
    const tag = node.tag ?? '';
    if (tag === 'tag:yaml.org,2002:binary') return Buffer.from(text, 'base64').toString();
    if (node.type !== 'PLAIN' || tag === 'tag:yaml.org,2002:str' || tag === '!') return text;
    return isBeyondJson(text) ? this.#refuse(node, `JSON has no value for ${text}`) : plainScalar(text);
  }

  #lineOf(node: unknown): number {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
    return this.#lines.linePos(range?.[0] ?? 0).line;
  }

  #refuse(node: unknown, why: string): never {
    throw new YamlInvalid(this.#lineOf(node), why);
  }
}
