import type { TSchema } from 'typebox';
import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** A schema value that a CustomResourceDefinition cannot carry: a mistake in the source of a kind. */
class NotStructural extends Error {
  constructor(path: string, why: string) {
    super(`schema at ${path === '' ? 'the top' : path}: ${why}`);
    this.name = 'NotStructural';
  }
}

/** Prints a schema value as the structural schema of a CRD; throws on what such a schema cannot express. */
export function toStructuralSchema(schema: TSchema, path = ''): JsonObject {
  const printed: MutableJsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const print = keywords[keyword];
    if (print === undefined)
      throw new NotStructural(path, `'${keyword}' has no place in a structural schema`);
    if (value !== undefined) Object.assign(printed, print(value as never, path, keyword));
  }
  checkWhole(printed, path);
  return { ...printed, ...upperBound(printed) };
}

/** Controllers reckon with these integers, so none may be larger than a number holds; servers do not check formats. */
function upperBound({ type, format, maximum, ...rest }: JsonObject): JsonObject {
  if (maximum !== undefined) return {};
  if (rest['x-kubernetes-int-or-string'] === true) return { maximum: 2_147_483_647 };
  if (type !== 'integer' || format === 'int64') return {};
  return { maximum: format === 'int32' ? 2_147_483_647 : Number.MAX_SAFE_INTEGER };
}

type Print = (value: never, path: string, keyword: string) => JsonObject;

const copy: Print = (value, _path, keyword) => ({ [keyword]: value });
const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const copiedKeywords =
  'type title description format default enum nullable minimum maximum multipleOf minLength maxLength pattern ' +
  'minItems maxItems minProperties maxProperties x-kubernetes-int-or-string x-kubernetes-embedded-resource ' +
  'x-kubernetes-preserve-unknown-fields x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-map-type ' +
  'x-kubernetes-validations not allOf';

const keywords: Readonly<Record<string, Print>> = {
  ...Object.fromEntries(copiedKeywords.split(' ').map((keyword) => [keyword, copy])),
  const: (value) => ({ enum: [value] }),
  exclusiveMinimum: (value) => ({ minimum: value, exclusiveMinimum: true }),
  exclusiveMaximum: (value) => ({ maximum: value, exclusiveMaximum: true }),
  required: (names: readonly string[]) => (names.length === 0 ? {} : { required: [...names] }),
  items: (item: TSchema, path) => ({ items: toStructuralSchema(item, `${path}[]`) }),
  properties: (fields: Readonly<Record<string, TSchema>>, path) => ({
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, toStructuralSchema(field, below(path, name))]),
    ),
  }),
  additionalProperties: (value: TSchema | boolean, path) => {
    if (typeof value === 'boolean') throw new NotStructural(path, 'additionalProperties must be a schema');
    return { additionalProperties: toStructuralSchema(value, `${path}.*`) };
  },
  patternProperties: (patterns: Readonly<Record<string, TSchema>>, path) => {
    const [[pattern, value] = [], ...more] = Object.entries(patterns);
    if (pattern !== '^.*$' || value === undefined || more.length > 0) {
      throw new NotStructural(path, 'names of a map cannot be restricted by a pattern');
    }
    return { additionalProperties: toStructuralSchema(value, `${path}.*`) };
  },
  anyOf: (_value, path) => {
    throw new NotStructural(path, 'a union has no single type; use stringEnum or intOrString of field.ts');
  },
};

const types = new Set<Json | undefined>(['object', 'array', 'string', 'integer', 'number', 'boolean']);

function checkWhole(schema: JsonObject, path: string): void {
  const typeless =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const type = schema['type'];
  if (!types.has(type) && !(type === undefined && typeless)) {
    throw new NotStructural(
      path,
      `${type === undefined ? 'no type' : `type ${printJson(type)}`} is not allowed`,
    );
  }
  if (schema['properties'] !== undefined && schema['additionalProperties'] !== undefined) {
    throw new NotStructural(path, 'properties and additionalProperties exclude each other');
  }
  if (type === 'array' && schema['items'] === undefined) throw new NotStructural(path, 'a list needs items');
}
