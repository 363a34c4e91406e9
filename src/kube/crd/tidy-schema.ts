import { isArray, isObject, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { setOwn } from '#kube/schema/set-own.ts';

/**
 * A schema as the server writes it back: keywords whose value says nothing (empty texts, lists and maps,
 * `false`, `default: null`) are left out. Bounded by `deepest`; what lies below is kept as it came.
 */
export function tidySchema(schema: Json, depth = 0): Json {
  if (!isObject(schema) || depth > deepest) return schema;
  const tidy: MutableJsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (saysNothing(keyword, value)) continue;
    setOwn(tidy, keyword, tidyKeyword(keyword, value, depth));
  }
  return tidy;
}

const deepest = 200;
const literal: ReadonlySet<string> = new Set(['default', 'example', 'enum']);
/** Keywords that are pointers in the server's own type: `false` and zero are kept. */
const pointers: ReadonlySet<string> = new Set([
  'default',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'items',
  'additionalProperties',
  'additionalItems',
  'not',
  'externalDocs',
]);
const ofSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions']);
const listsOfSchemas: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const oneSchema: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'additionalItems', 'not']);

function saysNothing(keyword: string, value: Json): boolean {
  if (value === null) return true;
  if (pointers.has(keyword)) return false;
  if (value === false || value === '') return true;
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function tidyKeyword(keyword: string, value: Json, depth: number): Json {
  if (literal.has(keyword)) return value;
  if (listsOfSchemas.has(keyword) && isArray(value)) return value.map((each) => tidySchema(each, depth + 1));
  if (oneSchema.has(keyword)) {
    return isArray(value) ? value.map((each) => tidySchema(each, depth + 1)) : tidySchema(value, depth + 1);
  }
  if (ofSchemas.has(keyword) && isObject(value)) return tidyMembers(value, depth);
  return value;
}

function tidyMembers(members: JsonObject, depth: number): JsonObject {
  const tidy: MutableJsonObject = {};
  for (const [name, each] of Object.entries(members)) setOwn(tidy, name, tidySchema(each, depth + 1));
  return tidy;
}
