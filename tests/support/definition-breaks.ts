import { equalJson, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';

/**
 * What a later CustomResourceDefinition takes away from those who use an earlier one: fields that are gone, have another
 * type or allow less. Empty: every object of the earlier definition is valid and complete under the later one.
 */
export function definitionBreaks(older: JsonObject, newer: JsonObject): readonly string[] {
  const names = [['group'], ['scope'], ['names', 'kind'], ['names', 'plural']] as const;
  const renamed = names.filter((path) => textAt(older, 'spec', ...path) !== textAt(newer, 'spec', ...path));
  const later = listAt(newer, 'spec', 'versions');
  return [
    ...renamed.map((path) => `${path.join('.')} is another`),
    ...listAt(older, 'spec', 'versions').flatMap((version) => {
      const name = textAt(version, 'name') ?? '';
      const same = later.find((each) => textAt(each, 'name') === name);
      return same === undefined ? [`version ${name} is gone`] : versionBreaks(version, same, name);
    }),
  ];
}

function versionBreaks(older: Json, newer: Json, name: string): readonly string[] {
  const flags = (['served', 'storage'] as const).filter(
    (flag) => isTrue(older, flag) && !isTrue(newer, flag),
  );
  const parts = Object.entries(objectAt(older, 'subresources') ?? {}).filter(
    ([part, value]) => !equalJson(objectAt(newer, 'subresources')?.[part], value),
  );
  return [
    ...flags.map((flag) => `${name} is no longer ${flag}`),
    ...parts.map(([part]) => `${name}: the subresource ${part} is another`),
    ...schemaBreaks(schemaOf(older), schemaOf(newer), name),
  ];
}

const schemaOf = (version: Json): JsonObject => objectAt(version, 'schema', 'openAPIV3Schema') ?? {};
const isTrue = (value: Json, name: string): boolean => isObject(value) && value[name] === true;

/** The same for the schemas of a value. */
function schemaBreaks(older: JsonObject, newer: JsonObject, path: string): readonly string[] {
  return [
    ...changed
      .filter((name) => !equalJson(older[name], newer[name]))
      .map((name) => `${path}: ${name} is another`),
    ...lost
      .filter((name) => isTrue(older, name) && !isTrue(newer, name))
      .map((name) => `${path}: ${name} is gone`),
    ...added
      .filter((name) => newer[name] !== undefined && !equalJson(older[name], newer[name]))
      .map((name) => `${path}: ${name} is new or another`),
    ...limitBreaks(older, newer, path),
    ...listBreaks(older, newer, path),
    ...partBreaks(older, newer, path),
  ];
}

/** Must stay as they are. */
const changed = [
  'type',
  'default',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
] as const;
/** Must stay when they are true. */
const lost = ['nullable', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string'] as const;
/** May go, and nothing else: whether the new value allows as much is not computed. */
const added = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'not', 'allOf', 'anyOf', 'oneOf'] as const;

const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const lower = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;

function limitBreaks(older: JsonObject, newer: JsonObject, path: string): readonly string[] {
  const numbers = (name: string): readonly [number | undefined, number | undefined] => [
    numeric(older[name]),
    numeric(newer[name]),
  ];
  const isTighter = (name: string, sign: 1 | -1): boolean => {
    const [before, after] = numbers(name);
    return after !== undefined && (before === undefined || sign * after < sign * before);
  };
  return [...upper.filter((name) => isTighter(name, 1)), ...lower.filter((name) => isTighter(name, -1))].map(
    (name) => `${path}: ${name} allows less`,
  );
}

const numeric = (value: Json | undefined): number | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;

function listBreaks(older: JsonObject, newer: JsonObject, path: string): readonly string[] {
  const texts = (schema: JsonObject, name: string): readonly string[] =>
    listAt(schema, name).map((each) => JSON.stringify(isObject(each) ? each['rule'] : each));
  const beyond = (name: string): readonly string[] => {
    const before = new Set(texts(older, name));
    return texts(newer, name).filter((each) => !before.has(each));
  };
  const missing =
    newer['enum'] === undefined
      ? []
      : texts(older, 'enum').filter((each) => !texts(newer, 'enum').includes(each));
  const isClosed = older['enum'] === undefined && newer['enum'] !== undefined;
  return [
    ...beyond('required').map((each) => `${path}: ${each} is required now`),
    ...beyond('x-kubernetes-validations').map((each) => `${path}: the rule ${each} is new`),
    ...missing.map((each) => `${path}: the value ${each} is gone`),
    ...(isClosed ? [`${path}: only some values are allowed now`] : []),
  ];
}

function partBreaks(older: JsonObject, newer: JsonObject, path: string): readonly string[] {
  const fields = Object.entries(objectAt(older, 'properties') ?? {}).flatMap(([name, schema]) => {
    const after = objectAt(newer, 'properties', name);
    const place = `${path}.${name}`;
    return after === undefined ? [`${place} is gone`] : schemaBreaks(schema as JsonObject, after, place);
  });
  const parts = (['items', 'additionalProperties'] as const).flatMap((name) => {
    const before = objectAt(older, name);
    const after = objectAt(newer, name);
    if (before === undefined) return [];
    const place = `${path}${name === 'items' ? '[]' : '.*'}`;
    return after === undefined ? [`${place} is gone`] : schemaBreaks(before, after, place);
  });
  return [...fields, ...parts];
}
