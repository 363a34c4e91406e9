import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';
import type { BuiltinField, BuiltinType, SpecialForm } from '#schema/types/builtin-type.ts';
import { membersOf, typeOfField } from '#schema/types/builtin-types.ts';
import { absentValue } from '#schema/types/presence.ts';

/** The OpenAPI v3 schema of one built-in type; other types appear as references. */
export function typeSchema(type: BuiltinType): JsonObject {
  if (type.special !== undefined) return specialSchemas[type.special];
  const properties: MutableJsonObject = type.isKind ? { apiVersion: text, kind: text } : {};
  const required: string[] = [];
  for (const [name, field] of membersOf(type)) {
    properties[name] = fieldSchema(field);
    if (field.required) required.push(name);
  }
  return {
    type: 'object',
    ...(required.length > 0 && { required: required.sort() }),
    properties,
    ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

export const referenceTo = (typeName: string): JsonObject => ({ $ref: `#/components/schemas/${typeName}` });

const text: JsonObject = { type: 'string' };

const specialSchemas: Readonly<Record<SpecialForm, JsonObject>> = {
  time: { type: 'string', format: 'date-time' },
  microtime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  raw: { type: 'object' },
  json: {},
  list: { type: 'array', items: text },
  schemaOrArray: {},
  schemaOrBool: {},
  schemaOrStrings: {},
};

const scalarSchemas: Readonly<Record<string, JsonObject>> = {
  string: text,
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

function fieldSchema(field: BuiltinField): JsonObject {
  switch (field.container) {
    case 'list':
      return { type: 'array', items: elementSchema(field), ...listMarks(field), ...mergeMarks(field) };
    case 'map':
      return {
        type: 'object',
        additionalProperties: elementSchema(field),
        ...mapMarks(field),
        ...mergeMarks(field),
      };
    case 'none':
      return withMarks(elementSchema(field), {
        ...defaultOf(field),
        ...mapMarks(field),
        ...mergeMarks(field),
      });
  }
}

function elementSchema(field: BuiltinField): JsonObject {
  const type = typeOfField(field);
  return type === undefined ? (scalarSchemas[field.type] ?? {}) : referenceTo(type.name);
}

/** Nothing may stand beside a reference, so it moves inside. */
function withMarks(schema: JsonObject, marks: JsonObject): JsonObject {
  if (Object.keys(marks).length === 0) return schema;
  return '$ref' in schema ? { allOf: [schema], ...marks } : { ...schema, ...marks };
}

function defaultOf(field: BuiltinField): JsonObject {
  const value: Json | undefined = field.default ?? (field.pointer ? undefined : absentValue(field));
  const isStruct = typeof value === 'object' && value !== null && field.default === undefined;
  if (value === undefined || value === null) return {};
  return { default: isStruct ? {} : value };
}

function listMarks({ listType, listMapKeys }: BuiltinField): JsonObject {
  return {
    ...(listType !== undefined && { 'x-kubernetes-list-type': listType }),
    ...(listMapKeys.length > 0 && { 'x-kubernetes-list-map-keys': listMapKeys }),
  };
}

const mapMarks = ({ atomic }: BuiltinField): JsonObject =>
  atomic ? { 'x-kubernetes-map-type': 'atomic' } : {};

function mergeMarks({ patchStrategy, patchMergeKey }: BuiltinField): JsonObject {
  return {
    ...(patchStrategy.length > 0 && { 'x-kubernetes-patch-strategy': patchStrategy.join(',') }),
    ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
  };
}
