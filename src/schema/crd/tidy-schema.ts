import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { withChanges, type Changes } from '#schema/structural/with-changes.ts';

/**
 * A schema as the server stores it: keywords without effect (empty texts, lists and maps,
 * `false`, `default: null`) are left out. What lies below `deepest`
 * is kept as it came; what needs no change is shared.
 */
export function tidySchema(schema: Json, depth = 0): Json {
  if (!isObject(schema) || depth > deepest) return schema;
  return changeMembers(schema, (keyword, value) =>
    saysNothing(keyword, value) ? undefined : tidyKeyword(keyword, value, depth),
  );
}

const deepest = 200;
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
const schemasInLists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'items']);
const oneSchema: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'additionalItems', 'not']);

function saysNothing(keyword: string, value: Json): boolean {
  if (value === null) return true;
  if (pointers.has(keyword)) return false;
  if (value === false || value === '') return true;
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function tidyKeyword(keyword: string, value: Json, depth: number): Json {
  if (isArray(value)) return schemasInLists.has(keyword) ? tidyList(value, depth) : value;
  if (oneSchema.has(keyword)) return tidySchema(value, depth + 1);
  if (!ofSchemas.has(keyword) || !isObject(value)) return value;
  return changeMembers(value, (_name, each) => tidySchema(each, depth + 1));
}

function tidyList(schemas: readonly Json[], depth: number): readonly Json[] {
  const tidy = schemas.map((each) => tidySchema(each, depth + 1));
  return tidy.every((each, i) => each === schemas[i]) ? schemas : tidy;
}

function changeMembers(
  object: JsonObject,
  change: (key: string, value: Json) => Json | undefined,
): JsonObject {
  let changes: Changes | undefined;
  for (const key in object) {
    const old = object[key] ?? null;
    const next = change(key, old);
    if (next !== old) (changes ??= new Map()).set(key, next);
  }
  return changes === undefined ? object : withChanges(object, changes);
}
