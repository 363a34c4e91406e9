import { isDeepValue } from '#base/json-depth.ts';
import { isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** A value as a template shows it; undefined when it is nested too deeply to be shown. */
export function textOfValue(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return textOfNumber(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return isDeepValue(value) ? undefined : printJson(sorted(value));
}

/** Whole numbers are never written with an exponent, however large. */
function textOfNumber(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function sorted(value: Json): Json {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
