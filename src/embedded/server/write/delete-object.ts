import { generationOf, raised } from '#embedded/kinds/rules/generation.ts';
import { equalJson, listAt, numberAt, objectAt, without, type Json } from '#base/json.ts';
import { formatTime, later, seconds } from '#base/time.ts';
import { markCrdDeleted } from '#schema/crd/crd-deletion.ts';
import { isDeleting, metaOf, resourceVersionOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import { podGrace } from '#embedded/kinds/rules/pod-grace.ts';
import { conflict, forbiddenAccess } from '#kube/status.ts';
import type { ServerContext } from '#embedded/server/request/call.ts';
import { crdStorage, type ApiResource } from '#embedded/server/registry/resource.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { DeleteOptions, Propagation } from './delete-options.ts';

/** The result of a delete: removed, or marked with a deletionTimestamp. */
export type Deletion = { readonly type: 'gone' | 'kept'; readonly stored: Stored };

export type Doomed = {
  readonly resource: ApiResource;
  readonly stored: Stored;
  readonly options: DeleteOptions;
};

/** Removes an object, or marks it when finalizers or its grace hold it. */
export function deleteObject(context: ServerContext, transaction: Transaction, doomed: Doomed): Deletion {
  const { resource, stored, options } = doomed;
  checkPreconditions(doomed);
  const object = withFinalizers(stored.object, options.propagation);
  switch (resource.storage) {
    case '/pods':
      return deletePod(context, transaction, doomed, object);
    case '/namespaces':
      return deleteNamespace(context, transaction, doomed, object);
    case crdStorage:
      return put(transaction, doomed, bumped(object, markCrdDeleted(object, context.clock.now())));
    default:
      return deletePlain(context, transaction, doomed, object);
  }
}

function checkPreconditions({ resource, stored, options }: Doomed): void {
  const { uid, revision } = options;
  const named = { group: resource.group, resource: resource.kind };
  const actualUid = uidOf(stored.object);
  if (uid !== undefined && uid !== '' && uid !== actualUid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${actualUid}). The object might have been deleted and then recreated`;
    throw conflict(named, stored.name, why);
  }
  const actual = resourceVersionOf(stored.object);
  if (revision !== undefined && revision !== '' && revision !== actual) {
    const why = `the ResourceVersion in the precondition (${revision}) does not match the ResourceVersion in record (${actual}). The object might have been modified`;
    throw conflict(named, stored.name, why);
  }
}

const policyFinalizers: Readonly<Record<Propagation, string | undefined>> = {
  Background: undefined,
  Foreground: 'foregroundDeletion',
  Orphan: 'orphan',
};

/** The finalizer of the propagation policy replaces that of another policy. */
function withFinalizers(object: KubeObject, propagation: Propagation | undefined): KubeObject {
  if (propagation === undefined) return object;
  const before = listAt(object, 'metadata', 'finalizers');
  const others = before.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion');
  const added = policyFinalizers[propagation];
  const finalizers: readonly Json[] = added === undefined ? others : [...others, added];
  if (equalJson(finalizers, before)) return object;
  if (finalizers.length > 0) return withMeta(object, { finalizers });
  return { ...object, metadata: without(metaOf(object), 'finalizers') };
}

const isHeld = (object: KubeObject): boolean => listAt(object, 'metadata', 'finalizers').length > 0;

/** The start of a deletion raises the generation of kinds that have one. */
function bumped(before: KubeObject, after: KubeObject): KubeObject {
  const generation = generationOf(before) ?? 0;
  if (generation === 0 || isDeleting(before)) return after;
  return withMeta(after, { generation: raised(generation) });
}

function put(transaction: Transaction, { resource, stored }: Doomed, object: KubeObject): Deletion {
  if (equalJson(object, stored.object)) return { type: 'kept', stored };
  return { type: 'kept', stored: transaction.put(resource.storage, stored.key, object) };
}

function remove(transaction: Transaction, { resource, stored }: Doomed): Deletion {
  return { type: 'gone', stored: transaction.remove(resource.storage, stored.key) ?? stored };
}

function deletePlain(
  context: ServerContext,
  transaction: Transaction,
  doomed: Doomed,
  object: KubeObject,
): Deletion {
  if (!isHeld(object)) return remove(transaction, doomed);
  if (isDeleting(object)) return put(transaction, doomed, object);
  const deletionTimestamp = formatTime(context.clock.now());
  return put(
    transaction,
    doomed,
    bumped(object, withMeta(object, { deletionTimestamp, deletionGracePeriodSeconds: 0 })),
  );
}

/** A pod gets its grace; later deletes may only shorten it. */
function deletePod(
  context: ServerContext,
  transaction: Transaction,
  doomed: Doomed,
  object: KubeObject,
): Deletion {
  const grace = podGrace(object, doomed.options.graceSeconds);
  const running = numberAt(object, 'metadata', 'deletionGracePeriodSeconds');
  const deleting = isDeleting(object) && running !== undefined;
  if (deleting && grace >= running) {
    return running === 0 && !isHeld(object) ? remove(transaction, doomed) : put(transaction, doomed, object);
  }
  const deletionTimestamp = formatTime(later(context.clock.now(), seconds(grace)));
  const marked = bumped(object, withMeta(object, { deletionTimestamp, deletionGracePeriodSeconds: grace }));
  const kept = transaction.put(doomed.resource.storage, doomed.stored.key, marked);
  if (grace > 0 || isHeld(marked)) return { type: 'kept', stored: kept };
  return remove(transaction, { ...doomed, stored: kept });
}

const undeletable = new Set(['default', 'kube-system', 'kube-public']);

/** A namespace stays until its content is deleted and it is finalized. */
function deleteNamespace(
  context: ServerContext,
  transaction: Transaction,
  doomed: Doomed,
  object: KubeObject,
): Deletion {
  const { name } = doomed.stored;
  const named = { group: '', resource: 'namespaces' };
  if (undeletable.has(name)) throw forbiddenAccess(named, name, 'this namespace may not be deleted');
  const finalizing = listAt(object, 'spec', 'finalizers').length > 0;
  if (isDeleting(object)) {
    if (finalizing) throw conflict(named, name, stillFull);
    return isHeld(object) ? put(transaction, doomed, object) : remove(transaction, doomed);
  }
  if (!finalizing && !isHeld(object)) return remove(transaction, doomed);
  const marked = withMeta(object, { deletionTimestamp: formatTime(context.clock.now()) });
  return put(transaction, doomed, {
    ...marked,
    status: { ...objectAt(marked, 'status'), phase: 'Terminating' },
  });
}

const stillFull =
  'The system is ensuring all content is removed from this namespace.  Upon completion, this namespace will automatically be purged by the system.';

/** Kinds whose delete returns the object itself, even when it is removed. */
const answersObject = new Set([
  '/pods',
  '/services',
  '/serviceaccounts',
  '/persistentvolumes',
  '/persistentvolumeclaims',
  '/podtemplates',
  '/resourcequotas',
]);

export const answersDeleted = (resource: ApiResource): boolean => answersObject.has(resource.storage);
