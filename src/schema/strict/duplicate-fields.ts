import type { Json } from '#base/json.ts';
import { countMembers } from './json-text.ts';
import { textFaults } from './text-faults.ts';

/** Paths of members that occur twice in one object of a valid JSON text. `parsed` is what JSON.parse made of it. */
export function duplicateFields(text: string, parsed: Json): readonly string[] {
  if (!hasDuplicates(text, parsed)) return [];
  return [...new Set(textFaults(text, undefined).map(({ path }) => path))];
}

/** Cheap: parsing keeps one of the members of the same name, so it is enough to count. */
export const hasDuplicates = (text: string, parsed: Json): boolean =>
  countMembers(text) !== countParsed(parsed);

/** Without recursion: a body may be nested as deep as it likes. */
function countParsed(parsed: Json): number {
  const open: Json[] = [parsed];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const parts = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
    if (!Array.isArray(value)) count += parts.length;
    for (const part of parts) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return count;
}
