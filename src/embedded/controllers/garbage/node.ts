import { equalJson, listAt } from '#base/json.ts';
import type { ResourceRef } from '#embedded/controllers/in-process/cluster.ts';
import { isDeleting, nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { ownersOf, type OwnerReference } from './owner-reference.ts';

/** G5: what an object's own deletion waits for. `waiting`: for its dependents; `orphaning`: for their release. */
export type Phase = 'live' | 'waiting' | 'orphaning' | 'deleting';

/** All the garbage collector remembers of an object. */
export type Node = {
  readonly resource: ResourceRef;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly phase: Phase;
};

export const waitForDependents = 'foregroundDeletion';
export const orphanDependents = 'orphan';

const none: readonly string[] = [];

export function nodeOf(resource: ResourceRef, object: KubeObject): Node {
  const listed = listAt(object, 'metadata', 'finalizers');
  const finalizers = listed.length === 0 ? none : listed.filter((each) => typeof each === 'string');
  return {
    resource,
    namespace: namespaceOf(object),
    name: nameOf(object),
    uid: uidOf(object),
    resourceVersion: resourceVersionOf(object),
    owners: ownersOf(object),
    finalizers,
    phase: isDeleting(object) ? deletingPhase(finalizers) : 'live',
  };
}

function deletingPhase(finalizers: readonly string[]): Phase {
  if (finalizers.includes(waitForDependents)) return 'waiting';
  return finalizers.includes(orphanDependents) ? 'orphaning' : 'deleting';
}

/** Whether two states of an object look the same to the collector. */
export const isAlike = (left: Node, right: Node): boolean =>
  left.phase === right.phase && equalJson(left.finalizers, right.finalizers) && hasSameOwners(left, right);

export const hasSameOwners = (left: Node, right: Node): boolean =>
  left.owners.length === right.owners.length &&
  left.owners.every((owner, i) => equalJson(owner.json, right.owners[i]?.json));
