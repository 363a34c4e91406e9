import { isArray, isObject, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { listKindOf, type GroupVersion, type ResourceDescription } from './resource-description.ts';
import { referenceTo } from './type-schema.ts';

/** Types that the schemas of custom resources refer to. */
export const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
export const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/** The component of a custom kind: `com.example.stable.v1.CronTab`. */
export const customTypeName = ({ group, version }: GroupVersion, kind: string): string =>
  [...group.split('.').reverse(), version, kind].join('.');

/** The schemas of a custom kind and of its list, by the names of their components. */
export function customSchemas(resource: ResourceDescription): JsonObject {
  const { kind } = resource;
  const name = customTypeName(resource, kind);
  const listKind = listKindOf(resource);
  return {
    [name]: { ...objectSchema(resource), ...kindMark(resource, kind) },
    [customTypeName(resource, listKind)]: {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: text,
        items: { type: 'array', items: referenceTo(name) },
        kind: text,
        metadata: { allOf: [referenceTo(listMeta)] },
      },
      ...kindMark(resource, listKind),
    },
  };
}

const text: JsonObject = { type: 'string' };
const metadata: JsonObject = { allOf: [referenceTo(objectMeta)] };

const kindMark = ({ group, version }: GroupVersion, kind: string): JsonObject => ({
  'x-kubernetes-group-version-kind': [{ group, kind, version }],
});

function objectSchema({ schema, preserveUnknown }: ResourceDescription): JsonObject {
  if (schema === undefined || preserveUnknown === true) {
    return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  }
  return withObjectMembers(publishedSchema(schema));
}

function withObjectMembers(schema: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return { ...schema, type: 'object', properties: { ...properties, apiVersion: text, kind: text, metadata } };
}

const schemaMaps = ['properties', 'patternProperties', 'definitions'];
const schemaLists = ['allOf', 'anyOf', 'oneOf'];
const schemaValues = ['items', 'additionalProperties', 'not'];

/** The schema as its author wrote it, with the members that every embedded resource has. */
function publishedSchema(schema: JsonObject): JsonObject {
  const copy: MutableJsonObject = { ...schema };
  for (const key of schemaValues) if (isObject(copy[key])) copy[key] = publishedSchema(copy[key]);
  for (const key of schemaLists) if (isArray(copy[key])) copy[key] = copy[key].map(publishedValue);
  for (const key of schemaMaps) if (isObject(copy[key])) copy[key] = publishedMap(copy[key]);
  return schema['x-kubernetes-embedded-resource'] === true ? withObjectMembers(copy) : copy;
}

const publishedValue = (value: Json): Json => (isObject(value) ? publishedSchema(value) : value);

function publishedMap(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, publishedValue(value)]));
}
