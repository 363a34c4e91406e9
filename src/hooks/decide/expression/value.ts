/** A value of the language: whole numbers are bigint and 64 bits wide, other numbers are double. */
export type Value = null | boolean | bigint | number | string | readonly Value[] | ValueMap;
export type ValueMap = { readonly [key: string]: Value };

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNumeric = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Own members only: what a value inherits is none of an expression's business. */
export function memberOf(map: ValueMap, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

const nouns: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  bigint: 'a whole number',
  number: 'a number',
  string: 'text',
};

/** What kind of value it is, for people. */
export function nounOf(value: Value): string {
  if (value === null) return 'nil';
  return nouns[typeof value] ?? (isList(value) ? 'a list' : 'a map');
}
