import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';
import type { BuiltinField, BuiltinType } from './builtin-type.ts';
import { membersOf, typeOfField } from './builtin-types.ts';

/** What a real server writes for a member that was never set; undefined when it leaves it out. */
export function absentValue(field: BuiltinField): Json | undefined {
  const type = typeOfField(field);
  const isStruct =
    field.container === 'none' && type !== undefined && !field.pointer && type.special !== 'list';
  if (isStruct) return zeroOfType(type);
  if (field.omitEmpty) return undefined;
  const isNil = field.pointer || field.container !== 'none' || type !== undefined;
  return isNil ? null : zeroOfScalar(field.type);
}

/** Whether kube-apiserver omits this value: the field has `omitempty` and it is the type's zero. */
export function isLeftOut(field: BuiltinField, value: Json): boolean {
  if (!field.omitEmpty) return false;
  if (field.pointer) return false;
  if (value === '' || value === 0 || value === false) return typeOfField(field) === undefined;
  if (field.container === 'list') return (value as readonly Json[]).length === 0;
  if (field.container === 'map') return Object.keys(value as JsonObject).length === 0;
  return false;
}

/** A struct with nothing set; shared, like every stored object never to be changed. */
export function zeroOfType(type: BuiltinType): Json {
  switch (type.special) {
    case undefined:
      return zeroStruct(type);
    case 'quantity':
      return '0';
    case 'intOrString':
      return 0;
    case 'schemaOrBool':
      return false;
    case 'time':
    case 'microtime':
    case 'raw':
    case 'json':
    case 'list':
    case 'schemaOrArray':
    case 'schemaOrStrings':
      return null;
  }
}

const zeros = new Map<BuiltinType, JsonObject>();

function zeroStruct(type: BuiltinType): JsonObject {
  const known = zeros.get(type);
  if (known !== undefined) return known;
  const zero: MutableJsonObject = {};
  for (const [name, field] of membersOf(type)) {
    const value = absentValue(field);
    if (value !== undefined) zero[name] = value;
  }
  zeros.set(type, zero);
  return zero;
}

function zeroOfScalar(type: string): Json {
  switch (type) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'bytes':
      return null;
    default:
      return 0;
  }
}
