import { equalJson, listAt, numberAt, textAt, without, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, later, seconds, type Instant } from '#base/time.ts';
import { claimFinalizer } from '#embedded/controllers/protection/in-use.ts';
import { podGrace } from '#embedded/kinds/rules/pod-grace.ts';
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
import { ApiError, badRequest, conflict, forbiddenAccess, invalidObject, modified } from '#kube/status.ts';
import type { ModelKind } from './model-kinds.ts';

const named = ({ group, plural }: ModelKind): { readonly group: string; readonly resource: string } => ({
  group,
  resource: plural,
});

const serverSet = new Set([
  'name',
  'generateName',
  'namespace',
  'uid',
  'creationTimestamp',
  'resourceVersion',
  'generation',
  'selfLink',
  'managedFields',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

const firstStatus: Readonly<Record<string, JsonObject>> = {
  PersistentVolumeClaim: { phase: 'Pending' },
  Pod: { phase: 'Pending', qosClass: 'BestEffort' },
  PodDisruptionBudget: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
};

export type NewObject = {
  readonly namespace: string;
  readonly uid: string;
  readonly name: string;
  readonly now: Instant;
};

/** A new object as it is stored: what the server sets, and no status of a client. */
export function created(kind: ModelKind, object: KubeObject, given: NewObject): KubeObject {
  if (!['', '0'].includes(resourceVersionOf(object)))
    throw new ApiError({
      code: 500,
      reason: '',
      message: 'resourceVersion should not be set on objects to be created',
    });
  const meta: Record<string, Json> = { name: given.name };
  const prefix = metaOf(object)['generateName'];
  if (prefix !== undefined) meta['generateName'] = prefix;
  if (kind.namespaced) meta['namespace'] = given.namespace;
  meta['uid'] = given.uid;
  meta['resourceVersion'] = '';
  if (kind.hasGeneration) meta['generation'] = 1;
  meta['creationTimestamp'] = formatTime(given.now);
  for (const [key, value] of Object.entries(metaOf(object))) if (!serverSet.has(key)) meta[key] = value;
  if (kind.kind === 'PersistentVolumeClaim')
    meta['finalizers'] = [...listAt(object, 'metadata', 'finalizers'), claimFinalizer];
  const whole = { apiVersion: kind.apiVersion, kind: kind.kind, ...object, metadata: meta };
  const plain = kind.defaults(kind.hasStatus ? without(whole, 'status') : whole);
  const status = firstStatus[kind.kind];
  return status === undefined ? plain : { ...plain, status };
}

/** Kinds of Kubernetes that are never replaced without a version. */
const needVersion = new Set(['PodDisruptionBudget', 'Lease']);

export type ModelUpdate = {
  readonly live: KubeObject;
  readonly wanted: KubeObject;
  readonly subresource: string;
  /** A PUT, which must name the version it replaces. */
  readonly isWhole: boolean;
};

/** The object after an update: the live one itself when nothing changes. */
export function updated(kind: ModelKind, update: ModelUpdate): KubeObject {
  const { live, wanted, subresource } = update;
  checkIdentity(kind, update);
  const carried = carriedOver(wanted, live);
  const next = subresource === 'status' ? onlyStatus(kind, carried, live) : exceptStatus(kind, carried, live);
  checkMetadata(kind, next, live);
  return equalJson(next, live) ? live : next;
}

function checkIdentity(kind: ModelKind, update: ModelUpdate): void {
  const { live, wanted, isWhole } = update;
  const [name, namespace] = [nameOf(wanted), namespaceOf(wanted)];
  if (name !== '' && name !== nameOf(live))
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${nameOf(live)})`);
  if (namespace !== '' && namespace !== namespaceOf(live))
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  checkVersion(kind, update);
  const uid = uidOf(wanted);
  if (isWhole && uid !== '' && uid !== uidOf(live))
    throw conflict(named(kind), nameOf(live), `Precondition failed: UID in object meta: ${uidOf(live)}`);
}

function checkVersion(kind: ModelKind, { live, wanted, isWhole }: ModelUpdate): void {
  const version = resourceVersionOf(wanted);
  if (!['', '0'].includes(version)) {
    if (version !== resourceVersionOf(live)) throw modified(named(kind), nameOf(live));
  } else if (isWhole && (kind.isCustom || needVersion.has(kind.kind)))
    throw invalid(kind, live, 'metadata.resourceVersion', 'must be specified for an update');
}

const invalid = (kind: ModelKind, live: KubeObject, field: string, message: string): ApiError =>
  invalidObject(kind, nameOf(live), [{ reason: 'FieldValueInvalid', field, message }]);

/** What a client cannot change. */
function carriedOver(wanted: KubeObject, live: KubeObject): KubeObject {
  const old = metaOf(live);
  const meta: Record<string, Json> = {
    ...metaOf(wanted),
    name: nameOf(live),
    resourceVersion: resourceVersionOf(live),
  };
  for (const key of [
    'namespace',
    'creationTimestamp',
    'generation',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ]) {
    const value = old[key];
    if (value !== undefined) meta[key] = value;
    else delete meta[key];
  }
  meta['uid'] ??= uidOf(live);
  delete meta['managedFields'];
  return { ...wanted, metadata: meta };
}

function onlyStatus(kind: ModelKind, object: KubeObject, live: KubeObject): KubeObject {
  const status = object['status'];
  const metadata =
    kind.kind === 'Pod' ? { ...metaOf(object), ...ownersOf(live) } : { ...metaOf(live), uid: uidOf(object) };
  return { ...without(live, 'status'), metadata, ...(status === undefined ? {} : { status }) };
}

const ownersOf = (live: KubeObject): JsonObject => {
  const ownerReferences = metaOf(live)['ownerReferences'];
  return ownerReferences === undefined ? {} : { ownerReferences };
};

function exceptStatus(kind: ModelKind, object: KubeObject, live: KubeObject): KubeObject {
  const kept = kind.hasStatus ? { ...without(object, 'status'), ...statusOf(live) } : object;
  const shaped = kept['spec'] === live['spec'] ? kept : kind.defaults(kept);
  if (!kind.hasGeneration || equalJson(content(shaped), content(live))) return shaped;
  return withMeta(shaped, { generation: (numberAt(live, 'metadata', 'generation') ?? 0) + 1 });
}

const statusOf = (live: KubeObject): JsonObject =>
  live['status'] === undefined ? {} : { status: live['status'] };
const content = (object: KubeObject): JsonObject => without(without(object, 'metadata'), 'status');

function checkMetadata(kind: ModelKind, next: KubeObject, live: KubeObject): void {
  if (uidOf(next) !== uidOf(live)) throw invalid(kind, live, 'metadata.uid', 'field is immutable');
  if (!isDeleting(live) || kind.isCustom) return;
  const before = listAt(live, 'metadata', 'finalizers');
  if (listAt(next, 'metadata', 'finalizers').some((each) => !before.includes(each)))
    throw invalid(
      kind,
      live,
      'metadata.finalizers',
      'no new finalizers can be added if the object is being deleted',
    );
}

/** Deleted, nothing holds it any more, and its grace is over. */
export function isOver(object: KubeObject): boolean {
  if (!isDeleting(object) || listAt(object, 'metadata', 'finalizers').length > 0) return false;
  return (numberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0) === 0;
}

export type ModelDeletion = {
  readonly propagationPolicy?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
};

/** The object after a deletion: the live one, a marked one, or undefined when it is gone. */
export function deleted(
  kind: ModelKind,
  live: KubeObject,
  { propagationPolicy, gracePeriodSeconds, preconditions = {} }: ModelDeletion,
  now: Instant,
): KubeObject | undefined {
  checkPreconditions(kind, live, preconditions);
  const object = withPolicy(live, propagationPolicy);
  const isHeld = listAt(object, 'metadata', 'finalizers').length > 0;
  const grace = kind.kind === 'Pod' ? podGrace(object, gracePeriodSeconds) : 0;
  const running = numberAt(object, 'metadata', 'deletionGracePeriodSeconds');
  if (isDeleting(object) && running !== undefined && grace >= running)
    return running === 0 && !isHeld ? undefined : object;
  return !isHeld && grace === 0 ? undefined : marked(object, grace, now);
}

function marked(object: KubeObject, grace: number, now: Instant): KubeObject {
  const generation = numberAt(object, 'metadata', 'generation');
  return withMeta(object, {
    deletionTimestamp: formatTime(later(now, seconds(grace))),
    deletionGracePeriodSeconds: grace,
    ...(generation !== undefined && !isDeleting(object) ? { generation: generation + 1 } : {}),
  });
}

function checkPreconditions(
  { group, kind }: ModelKind,
  live: KubeObject,
  { uid = '', resourceVersion = '' }: NonNullable<ModelDeletion['preconditions']>,
): void {
  const refuse = (what: string): ApiError =>
    conflict({ group, resource: kind }, nameOf(live), `the ${what} in the precondition does not match`);
  if (uid !== '' && uid !== uidOf(live)) throw refuse('UID');
  if (resourceVersion !== '' && resourceVersion !== resourceVersionOf(live)) throw refuse('ResourceVersion');
}

const policies: Readonly<Record<string, string>> = { Foreground: 'foregroundDeletion', Orphan: 'orphan' };

/** The finalizer of the propagation policy replaces that of another policy. */
function withPolicy(object: KubeObject, policy: string | undefined): KubeObject {
  if (policy === undefined) return object;
  const before = listAt(object, 'metadata', 'finalizers');
  const added = policies[policy];
  const others = before.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion');
  const finalizers = added === undefined ? others : [...others, added];
  if (equalJson(finalizers, before)) return object;
  if (finalizers.length > 0) return withMeta(object, { finalizers });
  return { ...object, metadata: without(metaOf(object), 'finalizers') };
}

/** HookRuns and pods cannot be created in a namespace that is being deleted. */
export function checkNamespace(
  kind: ModelKind,
  namespace: KubeObject | undefined,
  place: string,
  name: string,
): void {
  if (namespace === undefined)
    throw new ApiError({
      code: 404,
      reason: 'NotFound',
      message: `namespaces "${place}" not found`,
      details: { name: place, kind: 'namespaces' },
    });
  if (textAt(namespace, 'status', 'phase') !== 'Terminating') return;
  const why = `unable to create new content in namespace ${place} because it is being terminated`;
  const { message } = forbiddenAccess(named(kind), name, why);
  const causes = [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${place} is being terminated`,
      field: 'metadata.namespace',
    },
  ];
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    message,
    details: { name, group: kind.group, kind: kind.plural, causes },
  });
}
