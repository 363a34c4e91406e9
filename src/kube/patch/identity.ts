import { isArray, isObject, type Json } from '#base/json.ts';
import { integerOf } from '#base/integer.ts';
import { printJson } from '#base/json-text.ts';

/** Stands for a JSON value in maps and sets: the same for two values exactly when they are deeply equal. */
export type Identity = string | number | bigint | boolean | null;

export function identityOf(value: Json): Identity {
  // Texts are marked, so that none can look like a map or a list.
  if (typeof value === 'string') return `"${value}`;
  if (typeof value === 'number' && isLarge(value)) return integerOf(BigInt(value));
  return typeof value === 'object' && value !== null ? canonicalText(value) : value;
}

/** A float that is also an integer beyond the safe ones: the same as the bigint. */
const isLarge = (value: number): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

function canonicalText(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return printJson(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
