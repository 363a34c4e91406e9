import { isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** A value as the server quotes it in a field error: scalars plainly, null as a text, the rest in Go's notation. */
export function badValue(value: Json | undefined): string {
  if (value === undefined || value === null) return '"null"';
  return typeof value === 'object' ? goSyntax(value, 0) : printJson(value);
}

/** Nobody reads deeper, and hostile values are deeper than the stack. */
const deepest = 64;

function goSyntax(value: Json, depth: number): string {
  if (value === null) return 'interface {}(nil)';
  if (depth > deepest) return '...';
  if (isArray(value)) return `[]interface {}{${value.map((each) => goSyntax(each, depth + 1)).join(', ')}}`;
  if (!isObject(value)) return printJson(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key] ?? null, depth + 1)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
