import { at, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import { metaOf, uidOf, type KubeObject } from '#kube/object.ts';

const isDelete = (set: KubeObject, when: 'whenDeleted' | 'whenScaled'): boolean =>
  textAt(set, 'spec', 'persistentVolumeClaimRetentionPolicy', when) === 'Delete';

/** The owner of a claim by the retention policy: none, the set, or the pod that is scaled down. */
function wantedOwner(set: KubeObject, pod: KubeObject, isCondemned: boolean): KubeObject | undefined {
  if (isCondemned && isDelete(set, 'whenScaled')) return pod;
  return isDelete(set, 'whenDeleted') ? set : undefined;
}

/** The owners of a claim that is made for a pod that stays. */
export const setClaimOwners = (set: KubeObject): JsonObject =>
  isDelete(set, 'whenDeleted') ? { ownerReferences: [controllerReference(set)] } : {};

/** Whether another controller owns a claim that the retention policy would give an owner: it stays. */
export function hasOtherController(set: KubeObject, pod: KubeObject, claim: KubeObject): boolean {
  if (!isDelete(set, 'whenScaled') && !isDelete(set, 'whenDeleted')) return false;
  return listAt(claim, 'metadata', 'ownerReferences').some(
    (each) => at(each, 'controller') === true && !isRelated(each, set, pod),
  );
}

/**
 * The claim with the owner that the retention policy requires; undefined if it has it. Other owners stay, and a claim
 * that one of them controls gets no owner from here.
 */
export function reowned(
  set: KubeObject,
  pod: KubeObject,
  claim: KubeObject,
  isCondemned: boolean,
): KubeObject | undefined {
  const isOthers = hasOtherController(set, pod, claim);
  const owner = isOthers ? undefined : wantedOwner(set, pod, isCondemned);
  const owners = listAt(claim, 'metadata', 'ownerReferences');
  const ours = owners.filter((each) => isRelated(each, set, pod));
  const isRight =
    owner === undefined ? ours.length === 0 : ours.length === 1 && textAt(ours[0], 'uid') === uidOf(owner);
  if (isRight) return undefined;
  const others = owners.filter((each) => !isRelated(each, set, pod));
  const wanted = owner === undefined ? others : [...others, controllerReference(owner)];
  return { ...claim, metadata: { ...metaOf(claim), ownerReferences: wanted } };
}

/** Deleted StatefulSets and pods of the same names count too. */
function isRelated(owner: Json, set: KubeObject, pod: KubeObject): boolean {
  const is = (kind: string, name: string | undefined): boolean =>
    textAt(owner, 'kind') === kind && textAt(owner, 'name') === name;
  return is('StatefulSet', textAt(set, 'metadata', 'name')) || is('Pod', textAt(pod, 'metadata', 'name'));
}
