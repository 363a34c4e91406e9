import { equalJson, isArray, isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import { formatQuantity, parseQuantity } from '#base/quantity.ts';
import type { BuiltinField, BuiltinType } from './builtin-type.ts';
import { builtinType, membersOf, typeOfField } from './builtin-types.ts';
import { absentValue, isLeftOut } from './presence.ts';

/**
 * An object of a built-in type without the members that mean the same as no member: nulls, zeros that Go programs leave
 * out, and empty structs that they add. Quantities have their canonical spelling. Two objects are the same for Kubernetes
 * when their sparse forms are equal. Members that the type does not have are kept.
 */
export function sparseObject(typeName: string, object: JsonObject): JsonObject {
  const type = builtinType(typeName);
  return type === undefined ? object : sparseStruct(type, object);
}

function sparseStruct(type: BuiltinType, object: JsonObject): JsonObject {
  const members = membersOf(type);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const field = members.get(name);
      const kept = field === undefined ? (value ?? undefined) : sparseMember(field, value);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

/** Undefined: the member means nothing. */
function sparseMember(field: BuiltinField, value: Json): Json | undefined {
  if (value === null) return undefined;
  const sparse = sparseContainer(field, value);
  const isPlainStruct = field.container === 'none' && !field.pointer && isObject(sparse);
  if (isPlainStruct && Object.keys(sparse).length === 0) return undefined;
  const absent = absentValue(field);
  return isLeftOut(field, sparse) || (absent !== undefined && equalJson(absent, sparse)) ? undefined : sparse;
}

function sparseContainer(field: BuiltinField, value: Json): Json {
  const type = typeOfField(field);
  if (type === undefined) return value;
  if (field.container === 'list')
    return isArray(value) ? value.map((item) => sparseValue(type, item)) : value;
  if (field.container === 'map' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sparseValue(type, item)]));
  return sparseValue(type, value);
}

function sparseValue(type: BuiltinType, value: Json): Json {
  if (type.special === 'quantity') return canonicalQuantity(value);
  return type.special === undefined && isObject(value) ? sparseStruct(type, value) : value;
}

function canonicalQuantity(value: Json): Json {
  const quantity = parseQuantity(isNumber(value) || typeof value === 'string' ? String(value) : '');
  return quantity === undefined ? value : formatQuantity(quantity);
}
