/** Kinds of values as bits: a type is a set of them. */
export const kind = { nil: 1, bool: 2, int: 4, float: 8, text: 16, list: 32, map: 64 } as const;

/** `item` is the type of the items of a list. */
export type Type = { readonly kinds: number; readonly item: Type | undefined };

const scalar = (kinds: number): Type => ({ kinds, item: undefined });

export const types = {
  any: scalar(127),
  nil: scalar(kind.nil),
  bool: scalar(kind.bool),
  int: scalar(kind.int),
  float: scalar(kind.float),
  text: scalar(kind.text),
  map: scalar(kind.map),
  list: scalar(kind.list),
} as const;

export const numeric = kind.int | kind.float;

export const listOf = (item: Type): Type => ({ kinds: kind.list, item });

export const canBe = (type: Type, kinds: number): boolean => (type.kinds & kinds) !== 0;

/** The type of an item. Members of maps and of mixed lists can have any type. */
export const itemOf = (type: Type): Type =>
  type.item === undefined || canBe(type, kind.map) ? types.any : type.item;

export function either(left: Type, right: Type): Type {
  const kinds = left.kinds | right.kinds;
  if (!canBe(left, kind.list)) return { kinds, item: right.item };
  if (!canBe(right, kind.list)) return { kinds, item: left.item };
  if (left.item === undefined || right.item === undefined) return { kinds, item: undefined };
  return { kinds, item: either(left.item, right.item) };
}

const nouns: readonly (readonly [kinds: number, noun: string])[] = [
  [127, 'a value of any kind'],
  [kind.nil, 'nil'],
  [kind.bool, 'true or false'],
  [kind.int, 'a whole number'],
  [kind.float, 'a number'],
  [numeric, 'a number'],
  [kind.text, 'text'],
  [kind.list, 'a list'],
  [kind.map, 'a map'],
];

export function nounOfType(type: Type): string {
  const exact = nouns.find(([kinds]) => kinds === type.kinds);
  if (exact !== undefined) return exact[1];
  return nouns
    .filter(([kinds]) => (kinds & (kinds - 1)) === 0 && canBe(type, kinds))
    .map(([, noun]) => noun)
    .join(' or ');
}
