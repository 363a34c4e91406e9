import { at, isObject, textAt, without, type Json, type JsonObject } from '#base/json.ts';

/** Any Kubernetes object as plain JSON. Immutable: change it by copying. */
export type KubeObject = JsonObject;

/** What has the metadata of an object: the object itself, or what was decoded from it. */
export type WithMetadata = { readonly metadata?: Json | undefined };

const nothing: JsonObject = {};

export function metaOf({ metadata }: WithMetadata): JsonObject {
  return isObject(metadata) ? metadata : nothing;
}

export const nameOf = ({ metadata }: WithMetadata): string => textAt(metadata, 'name') ?? '';
export const namespaceOf = ({ metadata }: WithMetadata): string => textAt(metadata, 'namespace') ?? '';
/** The key of an object in requests. */
export const objectKeyOf = (object: WithMetadata): { readonly namespace: string; readonly name: string } => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
});

export const uidOf = ({ metadata }: WithMetadata): string => textAt(metadata, 'uid') ?? '';
export const kindOf = (object: KubeObject): string => textAt(object, 'kind') ?? '';
export const apiVersionOf = (object: KubeObject): string => textAt(object, 'apiVersion') ?? '';

/** The group of an apiVersion; '' for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

export const resourceVersionOf = ({ metadata }: WithMetadata): string =>
  textAt(metadata, 'resourceVersion') ?? '';
/** Whether both are the same object, and nobody has written it in between. */
export const isSameVersion = (one: WithMetadata, other: WithMetadata): boolean =>
  uidOf(one) === uidOf(other) && resourceVersionOf(one) === resourceVersionOf(other);
export const isDeleting = ({ metadata }: WithMetadata): boolean =>
  at(metadata, 'deletionTimestamp') !== undefined;

/** A map of strings (labels, annotations, data); entries that are not strings are left out. */
export function stringMap(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  if (areStrings(value)) return value;
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** Nearly always: then the map itself is returned. */
function areStrings(value: JsonObject): value is Readonly<Record<string, string>> {
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

export const labelsOf = (object: WithMetadata): Readonly<Record<string, string>> =>
  stringMap(metaOf(object)['labels']);
export const annotationsOf = (object: WithMetadata): Readonly<Record<string, string>> =>
  stringMap(metaOf(object)['annotations']);

export function withMeta(object: KubeObject, changes: JsonObject): KubeObject {
  return { ...object, metadata: { ...metaOf(object), ...changes } };
}

export function withoutManagedFields(object: KubeObject): KubeObject {
  const meta = metaOf(object);
  const lean = without(meta, 'managedFields');
  return lean === meta ? object : { ...object, metadata: lean };
}
