import { isArray, isObject, type Json } from '#base/json.ts';

/** A value as Go prints it (`map[spec:map[foo:1]]`): some refusals quote a patch in this form. */
export function goMapText(value: Json): string {
  if (isArray(value)) return `[${value.map(goMapText).join(' ')}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .toSorted()
      .map((key) => `${key}:${goMapText(value[key] ?? null)}`);
    return `map[${members.join(' ')}]`;
  }
  return value === null ? '<nil>' : String(value);
}
