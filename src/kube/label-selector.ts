import { isArray, isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** One requirement on one label. */
export type Requirement =
  | { readonly type: 'in' | 'notin'; readonly key: string; readonly values: ReadonlySet<string> }
  | { readonly type: 'exists' | 'absent'; readonly key: string }
  | { readonly type: 'above' | 'below'; readonly key: string; readonly bound: number };

/** All requirements must hold. Empty: everything matches. */
export type LabelSelector = readonly Requirement[];

/** The text is not a label selector; the message is the one Kubernetes gives. */
export class SelectorError extends Error {}

export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return selector.every((requirement) => holds(requirement, labels));
}

function holds(requirement: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.type) {
    case 'in':
      return value !== undefined && requirement.values.has(value);
    case 'notin':
      return value === undefined || !requirement.values.has(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'above':
      return integer(value) > requirement.bound;
    case 'below':
      return integer(value) < requirement.bound;
  }
}

/** NaN, which compares false with everything, for what is not an integer. */
const integer = (value: string | undefined): number =>
  value !== undefined && /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;

type Token = { readonly type: 'word' | 'symbol' | 'end'; readonly text: string };

const symbols = ['!=', '==', '=', '!', '(', ')', ',', '>', '<'];

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const symbol = symbols.find((each) => text.startsWith(each, at));
    if (symbol !== undefined) {
      found.push({ type: 'symbol', text: symbol });
      at += symbol.length;
      continue;
    }
    const word = /^[^\s=!(),><]+/.exec(text.slice(at))?.[0] ?? text.charAt(at);
    found.push({ type: 'word', text: word });
    at += word.length;
  }
  return found;
}

/** Parses the text form: `app=x,tier in (a,b),!legacy`. */
export function parseLabelSelector(text: string): LabelSelector {
  return new SelectorParser(tokens(text)).parse();
}

const end: Token = { type: 'end', text: '' };

class SelectorParser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelSelector {
    const found: Requirement[] = [];
    if (this.#peek().type === 'end') return found;
    for (;;) {
      found.push(this.#requirement());
      const next = this.#take();
      if (next.type === 'end') return sorted(found);
      if (next.text !== ',')
        throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.type !== 'word' && after.text !== '!') {
        throw new SelectorError(`found '${after.text}', expected: identifier after ','`);
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #requirement(): Requirement {
    const negated = this.#peek().text === '!' && this.#peek().type === 'symbol';
    if (negated) this.#take();
    const key = this.#word();
    checkKey(key);
    if (negated) return { type: 'absent', key };
    const next = this.#peek();
    if (next.type === 'end' || next.text === ',') return { type: 'exists', key };
    return this.#comparison(key);
  }

  #comparison(key: string): Requirement {
    const operator = this.#take().text;
    switch (operator) {
      case '=':
      case '==':
        return { type: 'in', key, values: this.#exactly(key) };
      case '!=':
        return { type: 'notin', key, values: this.#exactly(key) };
      case 'in':
      case 'notin':
        return { type: operator, key, values: this.#list(key) };
      case '>':
      case '<':
        return { type: operator === '>' ? 'above' : 'below', key, bound: this.#bound(key) };
      default:
        throw requirementError(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #word(): string {
    const token = this.#take();
    if (token.type !== 'word') throw requirementError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #exactly(key: string): ReadonlySet<string> {
    const next = this.#peek();
    if (next.type === 'end' || next.text === ',') return new Set(['']);
    const value = this.#word();
    checkValue(key, value);
    return new Set([value]);
  }

  #bound(key: string): number {
    const [value = ''] = this.#exactly(key);
    if (!/^[+-]?\d+$/.test(value)) {
      throw requirementError(
        `values[0][${key}]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    return Number(value);
  }

  #list(key: string): ReadonlySet<string> {
    const open = this.#take();
    if (open.text !== '(') throw requirementError(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    let wanted = true;
    for (;;) {
      const token = this.#take();
      if (token.text === ')' && token.type === 'symbol') {
        if (wanted) values.add('');
        return values;
      }
      if (token.text === ',' && token.type === 'symbol') {
        if (wanted) values.add('');
        wanted = true;
      } else if (token.type === 'word' && wanted) {
        checkValue(key, token.text);
        values.add(token.text);
        wanted = false;
      } else {
        throw requirementError(`found '${token.text}', expected: ',' or ')'`);
      }
    }
  }
}

const requirementError = (why: string): SelectorError =>
  new SelectorError(`unable to parse requirement: ${why}`);

/** Kubernetes keeps requirements sorted by key; only messages show it. */
const sorted = (found: Requirement[]): LabelSelector =>
  found.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));

const namePart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const prefixPart = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const namePartText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

function checkKey(key: string): void {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  const badPrefix = slash >= 0 && (!prefixPart.test(key.slice(0, slash)) || slash > 253);
  if (namePart.test(name) && name.length <= 63 && !badPrefix) return;
  throw requirementError(`<nil>: Invalid value: ${JSON.stringify(key)}: ${namePartText}`);
}

function checkValue(key: string, value: string): void {
  if (value.length <= 63 && (value === '' || namePart.test(value))) return;
  throw requirementError(`values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${valueText}`);
}

/** The object form used in specs: `{matchLabels, matchExpressions}`; null and {} select everything. */
export function labelSelectorOf(selector: Json | undefined): LabelSelector {
  if (!isObject(selector)) return [];
  const found: Requirement[] = [];
  const labels = selector['matchLabels'];
  if (isObject(labels)) {
    for (const [key, value] of Object.entries(labels)) {
      if (typeof value === 'string') found.push({ type: 'in', key, values: new Set([value]) });
    }
  }
  const expressions = selector['matchExpressions'];
  for (const each of isArray(expressions) ? expressions : []) {
    if (isObject(each)) found.push(expressionOf(each));
  }
  return sorted(found);
}

function expressionOf(each: JsonObject): Requirement {
  const key = textAt(each, 'key') ?? '';
  const values = new Set(listAt(each, 'values').filter((value) => typeof value === 'string'));
  switch (each['operator']) {
    case 'In':
      return { type: 'in', key, values };
    case 'NotIn':
      return { type: 'notin', key, values };
    case 'Exists':
      return { type: 'exists', key };
    case 'DoesNotExist':
      return { type: 'absent', key };
    default:
      throw new SelectorError(
        `${printJson(each['operator'] ?? null)} is not a valid label selector operator`,
      );
  }
}

/** The text form of a selector, as `status.selector` of a Scale shows it. */
export function printLabelSelector(selector: LabelSelector): string {
  return selector.map(printRequirement).join(',');
}

function printRequirement(requirement: Requirement): string {
  switch (requirement.type) {
    case 'in':
    case 'notin': {
      const values = [...requirement.values].sort();
      if (values.length === 1)
        return `${requirement.key}${requirement.type === 'in' ? '=' : '!='}${values[0]}`;
      return `${requirement.key} ${requirement.type} (${values.join(',')})`;
    }
    case 'exists':
      return requirement.key;
    case 'absent':
      return `!${requirement.key}`;
    case 'above':
      return `${requirement.key}>${requirement.bound}`;
    case 'below':
      return `${requirement.key}<${requirement.bound}`;
  }
}
