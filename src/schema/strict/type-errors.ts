import { isArray, isInteger, isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import type { BuiltinField, BuiltinType } from '#schema/types/builtin-type.ts';
import { builtinType, membersOf, typeOfField } from '#schema/types/builtin-types.ts';
import { kindOfJson, noteFault, startDecoding, type Decoding } from './go-decoding.ts';
import { base64Fault } from './literal-faults.ts';
import { formChecks } from './form-checks.ts';
import { deepest } from './unknown-fields.ts';

/**
 * kube-apiserver's errors for members of a built-in kind with the wrong type:
 * `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`.
 * Undefined when all is well; unknown members do not count.
 */
export function typeErrors(typeName: string, object: JsonObject): string | undefined {
  const type = builtinType(typeName);
  if (type === undefined) return undefined;
  const decoding = startDecoding();
  inStruct(decoding, type, object);
  return decoding.final ?? decoding.first;
}

function inStruct(decoding: Decoding, type: BuiltinType, object: JsonObject): void {
  if (decoding.names.length > deepest) return;
  const members = membersOf(type);
  for (const name of Object.keys(object)) {
    const field = members.get(name);
    const value = object[name];
    if (field === undefined || value === undefined || value === null) continue;
    decoding.names.push(name);
    decoding.structs.push(type.shortName);
    inField(decoding, field, value);
    if (decoding.final !== undefined) return;
    decoding.names.pop();
    decoding.structs.pop();
  }
}

function inField(decoding: Decoding, field: BuiltinField, value: Json): void {
  if (field.container === 'none') return inElement(decoding, field, value);
  const parts =
    field.container === 'list' ? isArray(value) && value : isObject(value) && Object.values(value);
  if (parts === false) return noteFault(decoding, kindOfJson(value), field.goType);
  for (const part of parts) {
    if (part !== null) inElement(decoding, field, part);
    if (decoding.final !== undefined) return;
  }
}

function inElement(decoding: Decoding, field: BuiltinField, value: Json): void {
  const type = typeOfField(field);
  if (type === undefined) return inScalar(decoding, field, value);
  if (type.special !== undefined)
    return formChecks[type.special](decoding, { type, value, checkStruct: inStruct });
  if (isObject(value)) return inStruct(decoding, type, value);
  noteFault(decoding, kindOfJson(value), type.goType);
}

function inScalar(decoding: Decoding, field: BuiltinField, value: Json): void {
  switch (field.type) {
    case 'int32':
    case 'int64':
      return inNumber(decoding, field, value);
    case 'bytes': {
      if (typeof value !== 'string') return noteFault(decoding, kindOfJson(value), field.goElement);
      const fault = base64Fault(value);
      if (fault !== undefined) decoding.first ??= fault;
      return;
    }
    case 'double':
      if (!isNumber(value)) noteFault(decoding, kindOfJson(value), field.goElement);
      return;
    default:
      if (typeof value !== jsTypes[field.type]) noteFault(decoding, kindOfJson(value), field.goElement);
  }
}

const jsTypes: Readonly<Record<string, string>> = { string: 'string', bool: 'boolean' };
const limits: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

function inNumber(decoding: Decoding, field: BuiltinField, value: Json): void {
  if (!isNumber(value)) return noteFault(decoding, kindOfJson(value), field.goElement);
  const limit = limits[field.type] ?? 0;
  const fits = isInteger(value) && value >= -limit && value < limit;
  if (!fits) noteFault(decoding, `number ${digitsOf(value)}`, field.goElement);
}

/** Integers beyond 64 bits are floats, which print with an exponent or rounded; their digits are closer to what was sent. */
const digitsOf = (value: number | bigint): string =>
  Number.isInteger(value) ? BigInt(value).toString() : String(value);
