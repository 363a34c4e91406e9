import type { Json, JsonObject } from '#base/json.ts';
import { objectKeyOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { SendJson } from './ask.ts';
import { metadataOnly } from './metadata-only.ts';
import type { Selection } from './list.ts';
import type { Outcome } from './outcome.ts';
import {
  collectionPath,
  objectPath,
  type ObjectKey,
  type QueryValue,
  type Resource,
} from '#kube/resource.ts';

export type WriteOptions = {
  readonly subresource?: string | undefined;
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  /** The content of the response: the object unless given. Often the new metadata is enough. */
  readonly answer?: 'object' | 'metadata' | undefined;
};

export type Patch = {
  readonly type: 'json' | 'merge' | 'strategic' | 'apply';
  readonly body: Json;
  /** Take over fields that others own (`apply` only). */
  readonly force?: boolean | undefined;
};

export type RemoveOptions = {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  /** Remove only this very object, or this very state of it. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
};

type Write = (
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
  options?: WriteOptions,
) => Promise<Outcome>;
type Remove<Of> = (
  resource: Resource,
  of: Of,
  signal: AbortSignal,
  options?: RemoveOptions,
) => Promise<Outcome>;

export type WriteVerbs = {
  readonly create: Write;
  readonly update: Write;
  readonly updateStatus: Write;
  readonly patch: (
    resource: Resource,
    key: ObjectKey,
    patch: Patch & WriteOptions,
    signal: AbortSignal,
  ) => Promise<Outcome>;
  readonly remove: Remove<ObjectKey>;
  readonly removeCollection: Remove<Selection>;
};

const patchTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export function writeVerbs(ask: SendJson): WriteVerbs {
  const update: Write = (resource, object, signal, options = {}) => {
    const path = objectPath(resource, objectKeyOf(object), options.subresource);
    const question = { method: 'PUT', path, query: queryOfWrite(options), body: object };
    return ask(options.answer === 'metadata' ? { ...question, accept: metadataOnly } : question, signal);
  };
  return {
    create: (resource, object, signal, options = {}) => {
      const path = createPath(resource, object, options);
      return ask({ method: 'POST', path, query: queryOfWrite(options), body: object }, signal);
    },
    update,
    updateStatus: (resource, object, signal, options) =>
      update(resource, object, signal, { ...options, subresource: 'status' }),
    patch: (resource, key, { type, body, force, ...options }, signal) => {
      const path = objectPath(resource, key, options.subresource);
      const query = { ...queryOfWrite(options), force };
      return ask({ method: 'PATCH', path, query, body, contentType: patchTypes[type] }, signal);
    },
    remove: (resource, key, signal, options) =>
      ask({ method: 'DELETE', path: objectPath(resource, key), ...deleteBody(options) }, signal),
    removeCollection: (resource, { namespace, ...query }, signal, options) =>
      ask(
        { method: 'DELETE', path: collectionPath(resource, namespace), query, ...deleteBody(options) },
        signal,
      ),
  };
}

/** A subresource such as an eviction is created under its object's name. */
function createPath(resource: Resource, object: KubeObject, { subresource }: WriteOptions): string {
  if (subresource !== undefined) return objectPath(resource, objectKeyOf(object), subresource);
  const namespace = namespaceOf(object);
  if (resource.namespaced && namespace === '')
    throw new Error(`an object of ${resource.plural} needs a namespace`);
  return collectionPath(resource, namespace);
}

const queryOfWrite = ({
  fieldManager,
  dryRun,
  fieldValidation,
}: WriteOptions): Record<string, QueryValue> => ({
  fieldManager,
  fieldValidation,
  dryRun: dryRun === true ? 'All' : undefined,
});

function deleteBody(options: RemoveOptions | undefined): { readonly body?: JsonObject } {
  if (options === undefined) return {};
  const { dryRun, ...rest } = options;
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', ...rest };
  return { body: dryRun === true ? { ...body, dryRun: ['All'] } : body };
}
