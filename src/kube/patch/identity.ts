import { isArray, isObject, type Json } from '#base/json.ts';

/** Stands for a JSON value in maps and sets: the same for two values exactly when they are deeply equal. */
export type Identity = string | number | boolean | null;

export function identityOf(value: Json): Identity {
  // Texts are marked, so that none can look like a map or a list.
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? canonicalText(value) : value;
}

function canonicalText(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
