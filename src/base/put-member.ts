import type { Json, MutableJsonObject } from './json.ts';

/** Sets a member under any name: a plain assignment to `__proto__` would change the object's prototype. */
export function putMember(object: MutableJsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
