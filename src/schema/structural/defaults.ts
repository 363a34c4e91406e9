import { isArray, isObject, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';
import { ApiError } from '#kube/status.ts';
import type { SchemaNode } from './schema-node.ts';
import { memoizeByObject } from '#base/memoize.ts';

/** So many characters of defaults an object may get: those of a list's items come again with every item. */
const mostDefaults = 4 * 1024 * 1024;

/** The defaults would be longer than any object may be. */
export class TooManyDefaults extends ApiError {
  constructor() {
    super({
      code: 400,
      reason: 'BadRequest',
      message: `the defaults of the schema would add more than ${mostDefaults} characters to the object: send fewer items, or make the defaults in the CustomResourceDefinition shorter`,
    });
    this.name = 'TooManyDefaults';
  }
}

/** What is left for defaults. */
type Room = { left: number };

/**
 * An object with the defaults of its schema. What needs no change is shared, not copied. Throws
 * `TooManyDefaults`.
 */
export function defaultObject(object: JsonObject, node: SchemaNode): JsonObject {
  return defaultMembers(object, node, { left: mostDefaults });
}

function defaultValue(value: Json, node: SchemaNode, room: Room): Json {
  if (isObject(value)) return defaultMembers(value, node, room);
  const items = isArray(value) ? node.items() : undefined;
  if (!isArray(value) || items === undefined) return value;
  let copy: Json[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const old = value[i] ?? null;
    const next = defaultValue(filled(old, items, room), items, room);
    if (next === old) continue;
    copy ??= [...value];
    copy[i] = next;
  }
  return copy ?? value;
}

function defaultMembers(value: JsonObject, node: SchemaNode, room: Room): JsonObject {
  const completed = addMissing(value, node, room);
  let copy: MutableJsonObject | undefined;
  for (const key in completed) {
    const known = node.property(key) ?? node.additional();
    if (known === undefined || known === true) continue;
    const old = completed[key] ?? null;
    const next = defaultValue(filled(old, known, room), known, room);
    if (next === old) continue;
    copy ??= { ...completed };
    putMember(copy, key, next);
  }
  return copy ?? completed;
}

function addMissing(value: JsonObject, node: SchemaNode, room: Room): JsonObject {
  let copy: MutableJsonObject | undefined;
  for (const [name, fallback] of node.defaulted()) {
    if (Object.hasOwn(value, name)) continue;
    take(room, fallback, name.length + 4);
    copy ??= { ...value };
    putMember(copy, name, fallback);
  }
  return copy ?? value;
}

/** A null that may not be null gives way to the default. */
function filled(value: Json, node: SchemaNode, room: Room): Json {
  if (value !== null || node.nullable || node.fallback === undefined) return value;
  take(room, node.fallback, 0);
  return node.fallback;
}

const lengthOfObject = memoizeByObject((fallback: object) => JSON.stringify(fallback).length);

function take(room: Room, fallback: Json, name: number): void {
  room.left -= name + lengthOf(fallback);
  if (room.left < 0) throw new TooManyDefaults();
}

function lengthOf(fallback: Json): number {
  if (typeof fallback === 'string') return fallback.length + 2;
  if (typeof fallback !== 'object' || fallback === null) return 5;
  return lengthOfObject(fallback);
}
