import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import type { BuiltinField, BuiltinType, SpecialForm } from '#schema/types/builtin-type.ts';
import { builtinType, membersOf, typeOfField } from '#schema/types/builtin-types.ts';

/** The structural schema of a pod template as generators write it into definitions: all in one piece, no references. */
export const podTemplateSchema = (): JsonObject => structOf(named('io.k8s.api.core.v1.PodTemplateSpec'));

function named(name: string): BuiltinType {
  const type = builtinType(name);
  if (type === undefined) throw new Error(`no type is called ${name}`);
  return type;
}

function structOf(type: BuiltinType): JsonObject {
  const properties: MutableJsonObject = {};
  const required: string[] = [];
  for (const [name, field] of membersOf(type)) {
    properties[name] = { description, ...(name === 'metadata' ? plainMetadata : fieldSchema(field)) };
    if (field.required) required.push(name);
  }
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

/** Half of a real definition is such text. */
const description = 'What this field is for, as generators copy it from code.';

const plainMetadata: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function fieldSchema(field: BuiltinField): JsonObject {
  const element = elementSchema(field);
  const fallback = field.default === undefined ? {} : { default: field.default };
  if (field.container === 'none') return { ...element, ...fallback };
  if (field.container === 'map') return { type: 'object', additionalProperties: element };
  return {
    type: 'array',
    items: element,
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.listMapKeys.length > 0 && { 'x-kubernetes-list-map-keys': field.listMapKeys }),
  };
}

function elementSchema(field: BuiltinField): JsonObject {
  const type = typeOfField(field);
  if (type === undefined) return scalars[field.type] ?? {};
  if (type.special === undefined) return structOf(type);
  return specials[type.special] ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
}

const scalars: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number' },
  bytes: { type: 'string', format: 'byte' },
};

const numberOrText: JsonObject = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

const specials: Readonly<Partial<Record<SpecialForm, JsonObject>>> = {
  time: { type: 'string', format: 'date-time' },
  microtime: { type: 'string', format: 'date-time' },
  intOrString: numberOrText,
  quantity: {
    ...numberOrText,
    pattern:
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  },
};
