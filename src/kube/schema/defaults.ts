import { isArray, isObject, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import type { SchemaNode } from './schema-node.ts';
import { putMember } from '#base/put-member.ts';

/** An object with the defaults of its schema (C5). What needs no change is shared, not copied. */
export function defaultObject(object: JsonObject, node: SchemaNode): JsonObject {
  return defaultMembers(object, node);
}

function defaultValue(value: Json, node: SchemaNode): Json {
  if (isObject(value)) return defaultMembers(value, node);
  const items = isArray(value) ? node.items() : undefined;
  if (!isArray(value) || items === undefined) return value;
  let copy: Json[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const old = value[i] ?? null;
    const next = defaultValue(filled(old, items), items);
    if (next === old) continue;
    copy ??= [...value];
    copy[i] = next;
  }
  return copy ?? value;
}

function defaultMembers(value: JsonObject, node: SchemaNode): JsonObject {
  const completed = addMissing(value, node);
  let copy: MutableJsonObject | undefined;
  for (const key in completed) {
    const known = node.property(key) ?? node.additional();
    if (known === undefined || known === true) continue;
    const old = completed[key] ?? null;
    const next = defaultValue(filled(old, known), known);
    if (next === old) continue;
    copy ??= { ...completed };
    putMember(copy, key, next);
  }
  return copy ?? completed;
}

function addMissing(value: JsonObject, node: SchemaNode): JsonObject {
  let copy: MutableJsonObject | undefined;
  for (const [name, fallback] of node.defaulted()) {
    if (Object.hasOwn(value, name)) continue;
    copy ??= { ...value };
    putMember(copy, name, fallback);
  }
  return copy ?? value;
}

/** A null that may not be null gives way to the default. */
function filled(value: Json, node: SchemaNode): Json {
  return value === null && !node.nullable && node.fallback !== undefined ? node.fallback : value;
}
