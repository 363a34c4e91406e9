import { equalJson, listAt } from '#base/json.ts';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import { isDeleting, nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { ownersOf, type OwnerReference } from './owner-reference.ts';

/** `waiting`: deleted in the foreground, until its dependents are gone; `orphaning`: until they have lost this owner. */
export type DeletionPhase = 'live' | 'waiting' | 'orphaning' | 'deleting';

/** What the garbage collector keeps of an object. */
export type GraphNode = {
  readonly resource: DiscoveredResource;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly phase: DeletionPhase;
};

export const waitForDependents = 'foregroundDeletion';
export const orphanDependents = 'orphan';

const none: readonly string[] = [];

export function nodeOf(resource: DiscoveredResource, object: KubeObject): GraphNode {
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

function deletingPhase(finalizers: readonly string[]): DeletionPhase {
  if (finalizers.includes(waitForDependents)) return 'waiting';
  return finalizers.includes(orphanDependents) ? 'orphaning' : 'deleting';
}

/** Whether nothing that the collector decides from has changed. */
export const isAlike = (left: GraphNode, right: GraphNode): boolean =>
  left.phase === right.phase && equalJson(left.finalizers, right.finalizers) && hasSameOwners(left, right);

export const hasSameOwners = (left: GraphNode, right: GraphNode): boolean =>
  left.owners.length === right.owners.length &&
  left.owners.every((owner, i) => equalJson(owner.json, right.owners[i]?.json));
