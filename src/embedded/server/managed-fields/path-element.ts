import { isArray, isNumber, isObject, type Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';

/** The canonical order: fields by name, then keyed items, then values, then indexes. */
export function compareElements(left: string, right: string): number {
  if (left === right) return 0;
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  if (left.startsWith('f:')) return left < right ? -1 : 1;
  return compareContents(left, right);
}

export function printElement(element: string): string {
  const content = element.slice(2);
  if (element.startsWith('f:')) return `.${content}`;
  if (element.startsWith('i:')) return `[${content}]`;
  if (element.startsWith('v:')) return `[=${content}]`;
  const keys = Object.entries(parseJson(content) as { [name: string]: Json });
  return `[${keys.map(([name, value]) => `${name}=${printJson(value)}`).join(',')}]`;
}

/**
 * An element in its canonical spelling. Empty for unknown kinds, which kube-apiserver drops; undefined
 * when it cannot be read at all.
 */
export function normalElement(element: string): string | undefined {
  if (element.length < 2 || element[1] !== ':') return undefined;
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return element;
    case 'i':
      return /^-?\d+$/.test(content) ? `i:${Number(content)}` : undefined;
    case 'v': {
      const value = parse(content);
      return value === undefined ? undefined : `v:${printJson(value)}`;
    }
    case 'k': {
      const keys = parse(content);
      return isObject(keys) ? keyElement(Object.entries(keys)) : undefined;
    }
    default:
      return '';
  }
}

export function keyElement(keys: readonly (readonly [string, Json])[]): string {
  const ordered = keys.length < 2 ? keys : [...keys].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  let text = '';
  for (const [name, value] of ordered)
    text += `${text === '' ? '' : ','}${printJson(name)}:${printJson(value)}`;
  return `k:{${text}}`;
}

const ranks: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };
const rankOf = (element: string): number => ranks[element[0] ?? ''] ?? 5;

function compareContents(left: string, right: string): number {
  const [mine, other] = [parse(left.slice(2)) ?? null, parse(right.slice(2)) ?? null];
  if (!isObject(mine) || !isObject(other)) return compareValues(mine, other);
  const [mineKeys, otherKeys] = [Object.keys(mine), Object.keys(other)];
  for (const [i, name] of mineKeys.entries()) {
    const otherName = otherKeys[i];
    if (otherName === undefined) return 1;
    if (name !== otherName) return name < otherName ? -1 : 1;
    const order = compareValues(mine[name] ?? null, other[name] ?? null);
    if (order !== 0) return order;
  }
  return mineKeys.length - otherKeys.length;
}

function compareValues(left: Json, right: Json): number {
  const rank = typeRank(left) - typeRank(right);
  if (rank !== 0) return rank;
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : Number(left > right);
  const [mine, other] = [textOf(left), textOf(right)];
  return mine < other ? -1 : mine > other ? 1 : 0;
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : printJson(value));

function typeRank(value: Json): number {
  if (isNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  return isArray(value) ? 3 : value === null ? 5 : 4;
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
