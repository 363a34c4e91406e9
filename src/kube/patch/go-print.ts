import { isArray, isInteger, isNumber, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`. */
export function printGo(value: Json): string {
  if (value === null) return '<nil>';
  if (isArray(value)) return `[${value.map(printGo).join(' ')}]`;
  if (isObject(value))
    return `map[${sorted(value)
      .map(([key, each]) => `${key}:${printGo(each)}`)
      .join(' ')}]`;
  return String(value);
}

/** A JSON value as Go's `%#v` prints it: `map[string]interface {}{"a":1}`. */
export function printGoSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (isArray(value)) return `[]interface {}{${value.map(printGoSyntax).join(', ')}}`;
  if (isObject(value)) {
    const members = sorted(value).map(([key, each]) => `${JSON.stringify(key)}:${printGoSyntax(each)}`);
    return `map[string]interface {}{${members.join(', ')}}`;
  }
  return printJson(value);
}

/** The Go type that a decoder gives a JSON value. */
export function goType(value: Json): string {
  if (isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (isNumber(value)) return isInteger(value) ? 'int64' : 'float64';
  return value === null ? '<nil>' : typeof value === 'boolean' ? 'bool' : 'string';
}

const sorted = (object: { readonly [key: string]: Json }): readonly [string, Json][] =>
  Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1));
