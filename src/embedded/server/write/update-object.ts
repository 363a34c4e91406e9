import { equalJson, listAt, numberAt, without } from '#base/json.ts';
import {
  isDeleting,
  metaOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  withMeta,
  type KubeObject,
} from '#kube/object.ts';
import { keepTimes } from '#embedded/server/managed-fields/managed-fields.ts';
import { generationOf, nextGeneration, raised, type Generation } from '#embedded/kinds/rules/generation.ts';
import { carryMetadata } from '#embedded/kinds/rules/metadata-update.ts';
import { complaintsOnStatusUpdate, complaintsOnUpdate } from '#embedded/kinds/rules/validate.ts';
import { type ApiError, badRequest, conflict, invalidObject, modified } from '#kube/status.ts';
import type { AuthorizeWrite, ServerContext } from '#embedded/server/request/call.ts';
import { view } from '#embedded/server/request/encode.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import { admit, allocate } from './admission.ts';
import { toStored } from './create-object.ts';
import { shapedObject } from './shaped-object.ts';
import { putObject } from './size-limits.ts';
import { owned } from './ownership.ts';

export type ObjectUpdate = {
  readonly resource: ApiResource;
  readonly stored: Stored;
  readonly manager: string;
  /** Empty for the main endpoint; `status` keeps everything but the status. */
  readonly subresource: string;
  /** Makes the desired object from the live one. */
  readonly next: (live: KubeObject) => KubeObject;
  /** PUT: the resourceVersion may be left out only where the kind allows it. */
  readonly needsRevision: boolean;
  /** The call's own check; absent for writes of the server itself. */
  readonly authorizeWrite?: AuthorizeWrite | undefined;
  /** Set by server-side apply, which writes managedFields itself. */
  readonly track?: (object: KubeObject) => KubeObject;
};

/**
 * Everything between a changed object and its storage: preconditions, defaults, field ownership, authorization of the
 * object, what the kind keeps, admission, validation, allocation, storage. Returns what the client sees.
 */
export function updateObject(context: ServerContext, transaction: Transaction, change: ObjectUpdate): Stored {
  const { resource, stored } = change;
  const live = view(resource, stored).object;
  const wanted = change.next(live);
  checkIdentity(change, wanted, live);
  const tracked = track(context, change, wanted, live);
  const prepared = prepare(context, transaction, change, { object: tracked, live });
  const complaints = complaintsOf(change, prepared, live);
  if (complaints.length > 0) throw invalidObject(resource, nameOf(live), complaints);
  const allocated =
    change.subresource === ''
      ? allocate(context, transaction, { resource, object: prepared, old: live })
      : prepared;
  const final = keepTimes(live, allocated);
  if (equalJson(final, live)) return stored;
  return keep(transaction, resource, stored, final);
}

/** Stores the new state, or removes an object that only waited for its finalizers. */
function keep(transaction: Transaction, resource: ApiResource, stored: Stored, final: KubeObject): Stored {
  const object = toStored(resource, final);
  if (!isFinished(resource, object)) return putObject(transaction, resource.storage, stored.key, object);
  transaction.remove(resource.storage, stored.key, object);
  return stored.with(object);
}

/** Deleted, nothing holds it any more, and its grace is over. */
function isFinished(resource: ApiResource, object: KubeObject): boolean {
  if (!isDeleting(object) || listAt(object, 'metadata', 'finalizers').length > 0) return false;
  if (resource.storage === '/namespaces') return listAt(object, 'spec', 'finalizers').length === 0;
  return (numberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0) === 0;
}

function checkIdentity(change: ObjectUpdate, wanted: KubeObject, live: KubeObject): void {
  const [name, namespace] = [nameOf(wanted), namespaceOf(wanted)];
  if (name !== '' && name !== nameOf(live)) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${nameOf(live)})`);
  }
  if (namespace !== '' && namespace !== namespaceOf(live)) throw wrongNamespace();
  checkVersion(change, wanted, live);
}

/** The resourceVersion and the uid that the client expects. */
function checkVersion(change: ObjectUpdate, wanted: KubeObject, live: KubeObject): void {
  const { resource } = change;
  const revision = resourceVersionOf(wanted);
  if (revision === '' || revision === '0') {
    if (change.needsRevision && !resource.rules.allowUnconditionalUpdate)
      throw revisionMissing(resource, nameOf(live));
  } else if (revision !== resourceVersionOf(live)) {
    throw modified({ group: resource.group, resource: resource.plural }, nameOf(live));
  }
  const uid = uidOf(wanted);
  if (change.needsRevision && uid !== '' && uid !== uidOf(live)) throw wrongUid(change, uid, uidOf(live));
}

export const wrongNamespace = (): ApiError =>
  badRequest('the namespace of the provided object does not match the namespace sent on the request');

function revisionMissing(resource: ApiResource, name: string): ApiError {
  const message = 'Invalid value: 0x0: must be specified for an update';
  const error = { reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message } as const;
  return invalidObject({ group: resource.group, kind: resource.plural }, name, [error]);
}

function wrongUid({ resource, stored }: ObjectUpdate, given: string, actual: string): ApiError {
  const key = `/registry/${resource.group === '' ? '' : `${resource.group}/`}${resource.plural}/${stored.key.replace(/^\//, '')}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${actual}`;
  return conflict({ group: resource.group, resource: resource.plural }, stored.name, why);
}

/** The desired object, canonical and with managedFields, as the kind's rules and admission get it. */
function track(
  context: ServerContext,
  change: ObjectUpdate,
  wanted: KubeObject,
  live: KubeObject,
): KubeObject {
  const { resource, manager, subresource } = change;
  const placed = withMeta(wanted, { ...place(live), resourceVersion: resourceVersionOf(live) });
  const carried = carryMetadata(shapedObject(resource, placed), live);
  if (subresource === 'ephemeralcontainers')
    return withMeta(carried, { managedFields: metaOf(live)['managedFields'] ?? [] });
  return change.track?.(carried) ?? owned(context, { resource, manager, subresource }, carried, live);
}

type Versions = { readonly object: KubeObject; readonly live: KubeObject };

function prepare(
  context: ServerContext,
  transaction: Transaction,
  change: ObjectUpdate,
  versions: Versions,
): KubeObject {
  const { resource, subresource } = change;
  const { object, live } = versions;
  if (subresource === 'status') return resource.rules.prepareStatusUpdate?.(object, live) ?? object;
  change.authorizeWrite?.(object, live);
  const kept = resource.rules.prepareUpdate?.(object, live) ?? object;
  const admitted = admit(context, transaction, { resource, object: kept, old: live });
  return withGeneration(resource, admitted, live);
}

/** Name and namespace may be left out of a body; they are those of the URL. */
function place(live: KubeObject): KubeObject {
  const namespace = namespaceOf(live);
  return { name: nameOf(live), ...(namespace === '' ? {} : { namespace }) };
}

function withGeneration(resource: ApiResource, object: KubeObject, live: KubeObject): KubeObject {
  const generation = generationAfter(resource, object, live);
  if (generation === undefined || generation === metaOf(object)['generation']) return object;
  return withMeta(object, { generation });
}

function generationAfter(
  { generation: rule }: ApiResource,
  object: KubeObject,
  live: KubeObject,
): Generation | undefined {
  if (rule !== 'all-but-metadata' && rule !== 'all-but-status') return nextGeneration(rule, object, live);
  const content = (each: KubeObject): KubeObject => {
    const rest = without(each, 'metadata');
    return rule === 'all-but-status' ? without(rest, 'status') : rest;
  };
  const before = generationOf(live) ?? 1;
  return equalJson(content(object), content(live)) ? before : raised(before);
}

function complaintsOf(
  { resource, subresource }: ObjectUpdate,
  object: KubeObject,
  live: KubeObject,
): ReturnType<typeof complaintsOnUpdate> {
  const scoped = { rules: resource.rules, namespaced: resource.namespaced };
  return subresource === 'status'
    ? complaintsOnStatusUpdate(scoped, object, live)
    : complaintsOnUpdate(scoped, object, live);
}
