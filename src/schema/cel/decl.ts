import { isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { adaptBool, adaptFormat, adaptInteger, adaptIntOrString, adaptNumber } from './adapt-scalar.ts';
import { escapeName } from './escape.ts';
import { adaptList, adaptMap, adaptRecord, keyOfItems, type Adapt } from './json-value.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
  type CelType,
} from './type.ts';
import { memoizeByObject } from '#base/memoize.ts';

/** What a schema is to expressions: its type, how large it can get, and how its values are read. */
export type Decl = {
  readonly type: CelType;
  /** Characters, items or members; zero where size has no meaning. */
  readonly maxElements: number;
  /** The smallest size of a value in JSON, in bytes. */
  readonly minSize: number;
  /** By escaped name. */
  readonly fields: ReadonlyMap<string, DeclField>;
  /** What a list or map holds. */
  readonly item: Decl | undefined;
  readonly adapt: Adapt;
};

export type DeclField = { readonly key: string; readonly decl: Decl };

/** The largest request that the server accepts. */
const maxRequest = 3 * 1024 * 1024;

/** How often a value of that size fits into a request. */
export const maxCardinality = (minSize: number): number => Math.floor(maxRequest / (minSize + 1));

const noFields: ReadonlyMap<string, DeclField> = new Map();

/** The declaration of a schema; undefined when expressions cannot see such values. Roots of resources show their name. */
export function declOf(schema: JsonObject, resourceRoot: boolean): Decl | undefined {
  return resourceRoot ? rootDecl(schema) : innerDecl(schema);
}

const rootDecl = memoizeByObject((schema: JsonObject) => read(schema, true));
const innerDecl = memoizeByObject((schema: JsonObject) => read(schema, false));

function read(schema: JsonObject, resourceRoot: boolean): Decl | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(schema);
  switch (schema['type']) {
    case 'array':
      return arrayDecl(schema);
    case 'object':
      return objectDecl(schema, resourceRoot);
    case 'string':
      return textDecl(schema);
    case 'boolean':
      return scalar(boolType, 4, adaptBool);
    case 'number':
      return scalar(doubleType, 1, adaptNumber);
    case 'integer':
      return scalar(intType, 1, adaptInteger);
    default:
      return undefined;
  }
}

const scalar = (type: CelType, minSize: number, adapt: Adapt, maxElements = 0): Decl => ({
  type,
  minSize,
  maxElements,
  adapt,
  fields: noFields,
  item: undefined,
});

const limit = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? Math.max(0, value) : undefined;

/** A code point takes up to four bytes. */
const textLimit = (schema: JsonObject): number | undefined => {
  const most = limit(schema['maxLength']);
  return most === undefined ? undefined : most * 4;
};

function intOrString(schema: JsonObject): Decl {
  return scalar(dynType, 1, adaptIntOrString, textLimit(schema) ?? maxRequest - 2);
}

const formats: Readonly<Record<string, readonly [type: CelType, minSize: number, maxElements: number]>> = {
  duration: [durationType, 3, 32],
  date: [timestampType, 12, 12],
  'date-time': [timestampType, 21, 32],
};

function textDecl(schema: JsonObject): Decl {
  const format = typeof schema['format'] === 'string' ? schema['format'] : '';
  const adapt = nullable(schema, adaptFormat(format));
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (known !== undefined) return scalar(known[0], known[1], adapt, known[2]);
  if (format === 'byte') return scalar(bytesType, 2, adapt, limit(schema['maxLength']) ?? maxRequest - 2);
  return scalar(stringType, 2, adapt, textLimit(schema) ?? longestEnum(schema) ?? maxRequest - 2);
}

function longestEnum(schema: JsonObject): number | undefined {
  const values = listAt(schema, 'enum');
  if (values.length === 0) return undefined;
  return Math.max(0, ...values.map((each) => (typeof each === 'string' ? each.length : 0)));
}

/** Items and values of maps may be null; fields that are null count as absent. */
function nullable(schema: JsonObject, adapt: Adapt): Adapt {
  return schema['nullable'] === true
    ? (value, meter) => (value === null ? null : adapt(value, meter))
    : adapt;
}

const isEmbedded = (schema: JsonObject): boolean => schema['x-kubernetes-embedded-resource'] === true;

function arrayDecl(schema: JsonObject): Decl | undefined {
  const items = schema['items'];
  const item = isObject(items) ? declOf(items, isEmbedded(items)) : undefined;
  if (item === undefined) return undefined;
  const keys = listAt(schema, 'x-kubernetes-list-map-keys').filter((each) => typeof each === 'string');
  const keyOf = keyOfItems(schema['x-kubernetes-list-type'], keys);
  return {
    type: listType(item.type),
    maxElements: limit(schema['maxItems']) ?? Math.floor((maxRequest - 2) / (item.minSize + 1)),
    minSize: 2,
    fields: noFields,
    item,
    adapt: nullable(schema, adaptList(item.adapt, keyOf)),
  };
}

function objectDecl(schema: JsonObject, resourceRoot: boolean): Decl | undefined {
  const additional = schema['additionalProperties'];
  if (!isObject(additional)) return recordDecl(resourceRoot ? withMeta(schema) : schema);
  const item = declOf(additional, isEmbedded(additional));
  if (item === undefined) return undefined;
  return {
    type: mapType(stringType, item.type),
    maxElements: limit(schema['maxProperties']) ?? Math.floor((maxRequest - 2) / (item.minSize + 6)),
    minSize: 2,
    fields: noFields,
    item,
    adapt: nullable(schema, adaptMap(item.adapt)),
  };
}

function recordDecl(schema: JsonObject): Decl {
  const required = new Set(listAt(schema, 'required'));
  const fields = new Map<string, DeclField>();
  let minSize = 2;
  for (const [key, child] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {})) {
    const decl = isObject(child) ? declOf(child, isEmbedded(child)) : undefined;
    if (decl === undefined || !isObject(child)) continue;
    const name = escapeName(key);
    if (name !== undefined) fields.set(name, { key, decl });
    if (required.has(key) && (child['default'] ?? null) === null) minSize += key.length + decl.minSize + 4;
  }
  const readers = new Map([...fields].map(([name, { key, decl }]) => [name, { key, adapt: decl.adapt }]));
  return {
    type: objectType(new Map([...fields].map(([name, { decl }]) => [name, decl.type]))),
    maxElements: 0,
    minSize,
    fields,
    item: undefined,
    adapt: nullable(
      schema,
      adaptRecord(() => readers),
    ),
  };
}

const text: JsonObject = { type: 'string' };
const meta: JsonObject = {
  kind: text,
  apiVersion: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
};

/** Of a resource's own fields, rules see kind, apiVersion, name and generateName, independent of the schema. */
function withMeta(schema: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  if (wellKnown.every((path) => textAt(properties, ...path, 'type') === 'string')) return schema;
  return { ...schema, properties: { ...properties, ...meta } };
}

const wellKnown = [
  ['kind'],
  ['apiVersion'],
  ['metadata', 'properties', 'name'],
  ['metadata', 'properties', 'generateName'],
];
