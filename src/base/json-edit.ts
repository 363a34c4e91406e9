import {
  equalJson,
  isObject,
  objectAt,
  without,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from './json.ts';

/** Edits by copying. They return the same object when nothing changes. */

export function withField(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value === undefined) return without(object, key);
  return object[key] === value ? object : { ...object, [key]: value };
}

/** Adds the fields that are absent or null. */
export function withMissing(object: JsonObject, defaults: JsonObject): JsonObject {
  let copy: MutableJsonObject | undefined;
  for (const key in defaults) {
    const value = object[key];
    if ((value !== undefined && value !== null) || value === defaults[key]) continue;
    copy ??= { ...object };
    copy[key] = defaults[key] as Json;
  }
  return copy ?? object;
}

/** Edits the object in a field; an absent field stays absent. */
export function editField(
  object: JsonObject,
  key: string,
  edit: (value: JsonObject) => JsonObject,
): JsonObject {
  const value = object[key];
  return isObject(value) ? withField(object, key, edit(value)) : object;
}

/** Edits every object of the list in a field. */
export function editItems(
  object: JsonObject,
  key: string,
  edit: (item: JsonObject) => JsonObject,
): JsonObject {
  const list = object[key];
  if (!Array.isArray(list)) return object;
  let copy: Json[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json;
    if (!isObject(item)) continue;
    const edited = edit(item);
    if (edited === item) continue;
    copy ??= [...(list as readonly Json[])];
    copy[i] = edited;
  }
  return copy === undefined ? object : { ...object, [key]: copy };
}

/** Edits a field that is an object and always there. */
export function editMember(
  object: JsonObject,
  key: string,
  edit: (value: JsonObject) => JsonObject,
): JsonObject {
  const value = object[key];
  return withField(object, key, edit(isObject(value) ? value : nothing));
}

const nothing: JsonObject = {};

export const specOf = (object: JsonObject): JsonObject => objectAt(object, 'spec') ?? nothing;
export const statusFieldOf = (object: JsonObject): JsonObject => objectAt(object, 'status') ?? nothing;

/** The new object with fields of the old one, absent ones included. */
export function keeping(object: JsonObject, old: JsonObject, keys: readonly string[]): JsonObject {
  let result = object;
  for (const key of keys) result = withField(result, key, old[key]);
  return result;
}

export const differs = (left: JsonObject, right: JsonObject, key: string): boolean =>
  !equalJson(left[key], right[key]);

/** The text, or an empty one for what is no text. */
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
