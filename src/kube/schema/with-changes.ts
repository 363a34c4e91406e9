import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';

/** Plain assignment, except for the one key whose assignment would call a setter. */
export function setOwn(object: MutableJsonObject, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** New values of members; undefined takes a member away. */
export type Changes = Map<string, Json | undefined>;

/** A copy with some members changed or left out. */
export function withChanges(object: JsonObject, changes: Changes): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key in object) {
    const next = changes.has(key) ? changes.get(key) : object[key];
    if (next !== undefined) setOwn(copy, key, next);
  }
  return copy;
}
