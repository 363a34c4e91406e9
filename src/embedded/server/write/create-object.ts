import { textAt, type MutableJsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { isDeleting, metaOf, nameOf, type KubeObject } from '#kube/object.ts';
import { isCrdTerminating } from '#schema/crd/crd-deletion.ts';
import { initialGeneration, type Generation } from '#embedded/kinds/rules/generation.ts';
import { complaintsOnCreate } from '#embedded/kinds/rules/validate.ts';
import { alreadyExists, ApiError, invalidObject } from '#kube/status.ts';
import type { AuthorizeWrite, ServerContext } from '#embedded/server/request/call.ts';
import { crdStorage, type ApiResource } from '#embedded/server/registry/resource.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import { admit, allocate } from './admission.ts';
import { generatedName } from './names.ts';
import { checkNamespace } from './namespace-check.ts';
import { owned } from './ownership.ts';
import { shapedObject } from './shaped-object.ts';
import { putObject } from './size-limits.ts';

export type Creation = {
  readonly resource: ApiResource;
  readonly namespace: string;
  readonly object: KubeObject;
  readonly manager: string;
  /** The call's own check; absent for writes of the server itself. */
  readonly authorizeWrite?: AuthorizeWrite | undefined;
  /** Set by server-side apply, which writes managedFields itself. */
  readonly track?: (object: KubeObject) => KubeObject;
};

const generationTries = 8;

/**
 * Everything between a decoded body and a stored new object: defaults, field ownership, name and server-set metadata,
 * authorization of the object, the kind's own preparation, admission, validation, allocation, storage.
 */
export function createObject(context: ServerContext, transaction: Transaction, creation: Creation): Stored {
  const { resource, namespace, object } = creation;
  refuseRevision(object);
  refuseTerminating(transaction, resource);
  checkNamespace(transaction, resource, namespace, nameOf(object));
  const shaped = shapedObject(resource, withPlace(resource, namespace, object));
  const writer = { resource, manager: creation.manager, subresource: '' };
  const tracked = creation.track?.(shaped) ?? owned(context, writer, shaped, undefined);
  const stamped = stamp(context, creation, withName(context, transaction, creation, tracked));
  creation.authorizeWrite?.(stamped, undefined);
  const prepared = resource.rules.prepareCreate?.(stamped) ?? stamped;
  const admitted = admit(context, transaction, { resource, object: prepared, old: undefined });
  const complaints = complaintsOnCreate({ rules: resource.rules, namespaced: resource.namespaced }, admitted);
  if (complaints.length > 0) throw invalidObject(resource, nameOf(admitted), complaints);
  const key = `${namespace}/${nameOf(admitted)}`;
  refuseExisting(transaction, resource, key);
  const allocated = allocate(context, transaction, { resource, object: admitted, old: undefined });
  return putObject(transaction, resource.storage, key, toStored(resource, allocated));
}

/** In the namespace of the URL, and without fields that only the server sets. */
function withPlace(resource: ApiResource, namespace: string, object: KubeObject): KubeObject {
  const {
    namespace: _given,
    deletionTimestamp: _at,
    deletionGracePeriodSeconds: _grace,
    ...meta
  } = metaOf(object);
  return { ...object, metadata: resource.namespaced ? { ...meta, namespace } : meta };
}

export const toStored = (resource: ApiResource, object: KubeObject): KubeObject =>
  resource.conversion?.toStored(object) ?? object;

/** A terminating definition accepts no new objects. */
function refuseTerminating(transaction: Transaction, { source, group, plural }: ApiResource): void {
  if (source.type !== 'custom') return;
  const crd = transaction.get(crdStorage, `/${source.crd}`);
  if (crd === undefined || !isCrdTerminating(crd.object)) return;
  throw new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'create not allowed while custom resource definition is terminating',
    details: { group, kind: plural },
  });
}

/** kube-apiserver responds in this way. */
function refuseRevision(object: KubeObject): void {
  const revision = textAt(object, 'metadata', 'resourceVersion') ?? '';
  if (revision === '' || revision === '0') return;
  const message = 'resourceVersion should not be set on objects to be created';
  throw new ApiError({ code: 500, reason: '', message });
}

function refuseExisting(transaction: Transaction, resource: ApiResource, key: string): void {
  const existing = transaction.get(resource.storage, key);
  if (existing === undefined) return;
  const error = alreadyExists({ group: resource.group, resource: resource.plural }, existing.name);
  if (!isDeleting(existing.object)) throw error;
  throw new ApiError({
    code: error.code,
    reason: error.reason,
    message: `object is being deleted: ${error.message}`,
    details: error.details,
  });
}

/** A generated name that is taken is tried again. */
function withName(
  context: ServerContext,
  transaction: Transaction,
  { resource, namespace }: Creation,
  object: KubeObject,
): KubeObject {
  const prefix = textAt(object, 'metadata', 'generateName') ?? '';
  if (nameOf(object) !== '' || prefix === '') return object;
  let name = generatedName(prefix, context.random);
  for (let tries = 1; tries < generationTries; tries += 1) {
    if (transaction.get(resource.storage, `${namespace}/${name}`) === undefined) break;
    name = generatedName(prefix, context.random);
  }
  return { ...object, metadata: { ...metaOf(object), name } };
}

/** What the server sets and what a client cannot. */
function stamp(context: ServerContext, { resource, namespace }: Creation, object: KubeObject): KubeObject {
  const { name, generateName, ...rest } = metaOf(object);
  const meta: MutableJsonObject = name === undefined ? {} : { name };
  if (generateName !== undefined) meta['generateName'] = generateName;
  if (resource.namespaced) meta['namespace'] = namespace;
  meta['uid'] = context.random.uuid();
  meta['resourceVersion'] = '';
  const generation = firstGeneration(resource, object);
  if (generation !== undefined) meta['generation'] = generation;
  meta['creationTimestamp'] = formatTime(context.clock.now());
  for (const [key, value] of Object.entries(rest)) {
    if (!serverSet.has(key)) meta[key] = value;
  }
  return { ...object, metadata: meta };
}

function firstGeneration({ generation }: ApiResource, object: KubeObject): Generation | undefined {
  const custom = generation === 'all-but-metadata' || generation === 'all-but-status';
  return custom ? 1 : initialGeneration(generation, object);
}

const serverSet = new Set([
  'uid',
  'creationTimestamp',
  'resourceVersion',
  'generation',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'namespace',
]);
