/** A value of the language: whole numbers are bigint and 64 bits wide, other numbers are double. */
export type ExprValue = null | boolean | bigint | number | string | readonly ExprValue[] | ValueMap;
export type ValueMap = { readonly [key: string]: ExprValue };

export const isList = (value: ExprValue): value is readonly ExprValue[] => Array.isArray(value);

export const isMap = (value: ExprValue): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNumeric = (value: ExprValue): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Own members only: what a value inherits is none of an expression's business. */
export function memberOf(map: ValueMap, key: string): ExprValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

const nouns: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  bigint: 'a whole number',
  number: 'a number',
  string: 'text',
};

/** What kind of value it is, for people. */
export function nounOf(value: ExprValue): string {
  if (value === null) return 'nil';
  return nouns[typeof value] ?? (isList(value) ? 'a list' : 'a map');
}
