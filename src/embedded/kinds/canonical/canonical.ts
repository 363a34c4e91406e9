import {
  isArray,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import { formatQuantity, parseQuantity } from '#base/quantity.ts';
import { formatMicroTime, formatTime, parseTime } from '#base/time.ts';
import type { BuiltinField, BuiltinType, SpecialForm } from '#schema/types/builtin-type.ts';
import { builtinType, membersOf, typeOfField } from '#schema/types/builtin-types.ts';
import { absentValue, isLeftOut } from '#schema/types/presence.ts';

/**
 * A built-in object as a real server would write it back after reading it: unknown members and nulls gone,
 * zero values left out where the type says so, empty structs written where they are not pointers, times and
 * quantities in their canonical spelling. Answers the same object when nothing changes; the types of the
 * values have been checked before.
 */
export function canonicalObject(typeName: string, object: JsonObject): JsonObject {
  const type = builtinType(typeName);
  return type === undefined ? object : canonicalStruct(type, object);
}

function canonicalStruct(type: BuiltinType, object: JsonObject): JsonObject {
  const members = membersOf(type);
  let changed: MutableJsonObject | undefined;
  for (const name of Object.keys(object)) {
    const value = object[name] as Json;
    const kept = keptValue(type, members.get(name), name, value);
    if (kept === value) continue;
    changed ??= { ...object };
    if (kept === undefined) delete changed[name];
    else changed[name] = kept;
  }
  return withAbsent(type, changed ?? object);
}

/** The canonical value of a member, or undefined when it is not written. */
function keptValue(
  type: BuiltinType,
  field: BuiltinField | undefined,
  name: string,
  value: Json,
): Json | undefined {
  if (field === undefined)
    return type.isKind && (name === 'kind' || name === 'apiVersion') ? value : undefined;
  if (value === null) return absentValue(field) === null ? null : undefined;
  const canonical = canonicalMember(field, value);
  return isLeftOut(field, canonical) ? undefined : canonical;
}

type AbsentMembers = readonly (readonly [name: string, value: Json])[];
const absents = new Map<BuiltinType, AbsentMembers>();

function absentMembers(type: BuiltinType): AbsentMembers {
  let known = absents.get(type);
  if (known === undefined) {
    known = [...membersOf(type)].flatMap(([name, field]) => {
      const value = absentValue(field);
      return value === undefined ? [] : [[name, value] as const];
    });
    absents.set(type, known);
  }
  return known;
}

function withAbsent(type: BuiltinType, object: JsonObject): JsonObject {
  let changed: MutableJsonObject | undefined;
  for (const [name, value] of absentMembers(type)) {
    if (Object.hasOwn(object, name)) continue;
    changed ??= { ...object };
    changed[name] = value;
  }
  return changed ?? object;
}

function canonicalMember(field: BuiltinField, value: Json): Json {
  const type = typeOfField(field);
  if (field.container === 'list')
    return isArray(value) ? mapList(value, (item) => canonicalValue(type, item)) : value;
  if (field.container === 'map')
    return isObject(value) ? mapMembers(value, (item) => canonicalValue(type, item)) : value;
  return canonicalValue(type, value);
}

function canonicalValue(type: BuiltinType | undefined, value: Json): Json {
  if (type === undefined) return value ?? '';
  if (type.special === undefined) return canonicalStruct(type, isObject(value) ? value : {});
  return spellings[type.special]?.(value) ?? value;
}

const spellings: Readonly<Partial<Record<SpecialForm, (value: Json) => Json>>> = {
  quantity: canonicalQuantity,
  time: (value) => canonicalTime(value, formatTime),
  microtime: (value) => canonicalTime(value, formatMicroTime),
};

function canonicalQuantity(value: Json): Json {
  const text = isNumber(value) ? String(value) : value;
  if (typeof text !== 'string') return value;
  const quantity = parseQuantity(text);
  return quantity === undefined ? text : formatQuantity(quantity);
}

function canonicalTime(value: Json, format: typeof formatTime): Json {
  if (typeof value !== 'string') return value;
  const time = parseTime(value);
  return time === undefined ? value : format(time);
}

function mapList(list: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  let changed: Json[] | undefined;
  list.forEach((item, at) => {
    const next = change(item);
    if (next === item) return;
    changed ??= [...list];
    changed[at] = next;
  });
  return changed ?? list;
}

function mapMembers(object: JsonObject, change: (item: Json) => Json): JsonObject {
  let changed: MutableJsonObject | undefined;
  for (const [name, item] of Object.entries(object)) {
    const next = change(item);
    if (next === item) continue;
    changed ??= { ...object };
    changed[name] = next;
  }
  return changed ?? object;
}
