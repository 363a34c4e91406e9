/**
 * A JSON value as `parseJson` gives it: integers beyond the safe ones are bigints (json-text.ts). Objects are treated as
 * immutable once stored: change by copying.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
/** The same, while it is being built by the one function that owns it. */
export type MutableJsonObject = { [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export const isNumber = (value: Json | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

export const isInteger = (value: Json | undefined): value is number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value);

/** The value at a path of keys, or undefined when any step is missing or not an object. */
export const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  valueAt(value, path);

/** On the hot path of every decision: one lookup for each key. What an object inherits is no JSON: functions. */
function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const key of path) {
    if (!isObject(current)) return undefined;
    const next: Json | undefined = current[key];
    if (typeof next === 'function' || (key === '__proto__' && !Object.hasOwn(current, key))) return undefined;
    current = next;
  }
  return current;
}

export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** The number at a path, to reckon with; to pass one on as it is, use `at`: a very large integer is rounded here. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, path);
  return isNumber(found) ? Number(found) : undefined;
}

export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = valueAt(value, path);
  return isObject(found) ? found : undefined;
}

const none: readonly Json[] = [];

/** The list at a path; empty when absent. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, path);
  return isArray(found) ? found : none;
}

/** Deep equality of JSON values; the order of keys does not count. */
export function equalJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isArray(left)) {
    return (
      isArray(right) && left.length === right.length && left.every((item, i) => equalJson(item, right[i]))
    );
  }
  if (!isObject(left) || !isObject(right))
    return isNumber(left) && isNumber(right) && sameNumber(left, right);
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]));
}

/** Exact, also between a bigint and a float that is as large. */
export function sameNumber(left: number | bigint, right: number | bigint): boolean {
  if (typeof left === typeof right) return left === right;
  return isInteger(left) && isInteger(right) && BigInt(left) === BigInt(right);
}

/** A copy without one key; the same object when the key is absent. */
export function without(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const { [key]: _dropped, ...rest } = object;
  return rest;
}
