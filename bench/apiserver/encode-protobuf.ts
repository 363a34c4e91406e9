import { isArray, isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { BuiltinField, BuiltinType } from '#schema/types/builtin-type.ts';
import { builtinType, typeNameOf, typeOfField } from '#schema/types/builtin-types.ts';

/** The bytes that client-go would send for an object of a core kind. Only what the benchmarks' objects need. */
export function encodeProtobuf(object: JsonObject): Uint8Array {
  const [version, kind] = [textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? ''];
  const type = builtinType(typeNameOf('', version, kind) ?? '');
  if (type === undefined) throw new Error(`no kind ${kind} is known in ${version}`);
  const meta = Buffer.concat([block(1, Buffer.from(version)), block(2, Buffer.from(kind))]);
  const empty = Buffer.alloc(0);
  return Buffer.concat([
    Buffer.from('k8s\0'),
    block(1, meta),
    block(2, message(object, type)),
    block(3, empty),
    block(4, empty),
  ]);
}

function message(value: Json, type: BuiltinType): Buffer {
  if (type.special === 'quantity' && typeof value === 'string') return block(1, Buffer.from(value));
  if (type.special !== undefined) throw new Error(`${type.name} cannot be encoded`);
  if (!isObject(value)) throw new Error(`a ${type.name} is not an object`);
  return Buffer.concat(type.fields.flatMap((field) => fieldOf(value, field)));
}

function fieldOf(object: JsonObject, field: BuiltinField): readonly Buffer[] {
  if (field.inlined) {
    const inner = typeOfField(field);
    return inner === undefined ? [] : [block(field.number, message(object, inner))];
  }
  const value = object[field.name];
  if (value === undefined || value === null) return [];
  if (field.container === 'list' && isArray(value))
    return value.map((item) => one(field.number, item, field));
  if (field.container === 'map' && isObject(value))
    return Object.entries(value).map(([key, item]) =>
      block(field.number, Buffer.concat([block(1, Buffer.from(key)), one(2, item, field)])),
    );
  return [one(field.number, value, field)];
}

function one(number: number, value: Json, field: BuiltinField): Buffer {
  const type = typeOfField(field);
  if (type !== undefined) return block(number, message(value, type));
  if (typeof value === 'string') return block(number, Buffer.from(value));
  if (typeof value === 'boolean' || Number.isInteger(value)) return varintField(number, Number(value));
  throw new Error(`${field.name} cannot be encoded`);
}

const block = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);

const varintField = (number: number, value: number): Buffer =>
  Buffer.concat([varint(number * 8), varint(value)]);

/** Not for negative numbers. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
