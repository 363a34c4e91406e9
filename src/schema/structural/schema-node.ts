import { isArray, isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import { memoizeByObject } from '#base/memoize.ts';

/**
 * One place of a structural schema, read from its JSON when it is first looked at. Children come into being
 * on demand, so a schema of half a megabyte costs what its objects touch.
 */
export type SchemaNode = {
  /** The JSON it was read from, for the keywords that only validation uses. */
  readonly schema: JsonObject;
  readonly type: string;
  readonly nullable: boolean;
  readonly intOrString: boolean;
  readonly preserveUnknown: boolean;
  readonly embeddedResource: boolean;
  readonly atomicMap: boolean;
  readonly list: 'atomic' | 'set' | 'map';
  readonly listKeys: readonly string[];
  /** `default`; undefined when there is none, and null counts as none. */
  readonly fallback: Json | undefined;
  readonly propertyNames: readonly string[];
  property(name: string): SchemaNode | undefined;
  /** Properties with a default of their own. */
  defaulted(): readonly (readonly [name: string, fallback: Json])[];
  /** The schema of a map's values: `true` when any key is kept unseen, undefined means that it is not a map. */
  additional(): SchemaNode | true | undefined;
  items(): SchemaNode | undefined;
};

/** The node of a schema; the same schema object always gives the same node. */
export const nodeOf: (schema: JsonObject) => SchemaNode = memoizeByObject(read);

const nothing: JsonObject = {};
const noKeys: readonly string[] = [];

function read(schema: JsonObject): SchemaNode {
  const properties = isObject(schema['properties']) ? schema['properties'] : nothing;
  const list = schema['x-kubernetes-list-type'];
  let defaulted: readonly (readonly [string, Json])[] | undefined;
  return {
    schema,
    type: typeof schema['type'] === 'string' ? schema['type'] : '',
    nullable: schema['nullable'] === true,
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embeddedResource: schema['x-kubernetes-embedded-resource'] === true,
    atomicMap: schema['x-kubernetes-map-type'] === 'atomic',
    list: list === 'map' || list === 'set' ? list : 'atomic',
    listKeys: list === 'map' ? textsOf(schema['x-kubernetes-list-map-keys']) : noKeys,
    fallback: schema['default'] ?? undefined,
    propertyNames: Object.keys(properties),
    property: (name) => (Object.hasOwn(properties, name) ? child(properties[name]) : undefined),
    defaulted: () => (defaulted ??= defaultsOf(properties)),
    additional: () => additionalOf(schema['additionalProperties']),
    items: () => child(schema['items']),
  };
}

const child = (schema: Json | undefined): SchemaNode | undefined =>
  isObject(schema) ? nodeOf(schema) : undefined;

function textsOf(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((each) => typeof each === 'string') : noKeys;
}

function defaultsOf(properties: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const fallback = isObject(schema) ? (schema['default'] ?? null) : null;
    return fallback === null ? [] : [[name, fallback] as const];
  });
}

function additionalOf(schema: Json | undefined): SchemaNode | true | undefined {
  return typeof schema === 'boolean' ? true : child(schema);
}

/** Keywords that hold lists of schemas beside the structure. */
export const junctorsOf = (schema: JsonObject, keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly JsonObject[] =>
  listAt(schema, keyword).filter(isObject);
