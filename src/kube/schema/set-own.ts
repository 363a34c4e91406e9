import type { Json, MutableJsonObject } from '#base/json.ts';

/** Plain assignment, except for the one key whose assignment would call a setter. */
export function setOwn(object: MutableJsonObject, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}
