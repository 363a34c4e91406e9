/** A value in an expression. Integers are bigint with 64 bits, other numbers are floats. */
export type ExprValue = null | boolean | bigint | number | string | readonly ExprValue[] | ValueMap;
export type ValueMap = { readonly [key: string]: ExprValue };

export const isList = (value: ExprValue): value is readonly ExprValue[] => Array.isArray(value);

export const isMap = (value: ExprValue): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNumeric = (value: ExprValue): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Only own members; inherited ones are not visible to expressions. */
export function memberOf(map: ValueMap, key: string): ExprValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

const nouns: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  bigint: 'a whole number',
  number: 'a number',
  string: 'text',
};

/** The kind of a value, for messages. */
export function nounOf(value: ExprValue): string {
  if (value === null) return 'nil';
  return nouns[typeof value] ?? (isList(value) ? 'a list' : 'a map');
}
