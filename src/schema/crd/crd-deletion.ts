import { listAt, objectAt, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { isDeleting, metaOf, withMeta, type KubeObject } from '#kube/object.ts';
import { crdConditions, isConditionTrue, withCondition, type CrdCondition } from './conditions.ts';
import { initialCrdStatus } from './prepare-crd.ts';

/** The finalizer that keeps a definition until its last object is deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Creating objects is refused from the moment a definition is marked (405). */
export const isCrdTerminating = (crd: KubeObject): boolean =>
  isDeleting(crd) || isConditionTrue(crd, 'Terminating');

/** The first delete of a definition: marked, kept by the clean-up finalizer, with the Terminating condition. */
export function markCrdDeleted(crd: KubeObject, now: Instant): KubeObject {
  if (isDeleting(crd)) return crd;
  const finalizers = listAt(crd, 'metadata', 'finalizers');
  const held = finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer];
  const marked = withMeta(crd, { deletionTimestamp: formatTime(now), finalizers: held });
  return { ...marked, status: statusWith(crd, pending, now) };
}

/** After the last object is deleted: removes the clean-up finalizer. */
export function releaseCrd(crd: KubeObject, now: Instant): KubeObject {
  const left = listAt(crd, 'metadata', 'finalizers').filter((each) => each !== cleanupFinalizer);
  const { finalizers: _all, ...meta } = metaOf(crd);
  const metadata: JsonObject = left.length === 0 ? meta : { ...meta, finalizers: left };
  return { ...crd, metadata, status: statusWith(crd, completed, now) };
}

const pending: CrdCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};
const completed: CrdCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};

function statusWith(crd: KubeObject, condition: CrdCondition, now: Instant): JsonObject {
  const status = objectAt(crd, 'status') ?? initialCrdStatus(crd);
  return { ...status, conditions: withCondition(crdConditions(crd), condition, now) };
}
