import type { JsonObject } from '#base/json.ts';
import { matchesLabels, type LabelSelector } from '#kube/label-selector.ts';
import { isDeleting, labelsOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf, controllerReference } from './owner.ts';

export type Claim = {
  readonly owned: readonly KubeObject[];
  /** Orphans that match the selector: to be adopted. */
  readonly adopt: readonly KubeObject[];
  /** Owned objects that no longer match: to be released. */
  readonly release: readonly KubeObject[];
};

/** Sorts objects into those that the controller owns, adopts and releases. */
export function claim(owner: KubeObject, selector: LabelSelector, objects: Iterable<KubeObject>): Claim {
  const uid = uidOf(owner);
  const isGoing = isDeleting(owner);
  const owned: KubeObject[] = [];
  const adopt: KubeObject[] = [];
  const release: KubeObject[] = [];
  for (const object of objects) {
    const controller = controllerOf(object);
    // An empty selector would take everything there is.
    const matches = selector.length > 0 && matchesLabels(selector, labelsOf(object));
    if (controller !== undefined) {
      if (controller.uid !== uid) continue;
      if (matches) owned.push(object);
      else if (!isGoing) release.push(object);
    } else if (matches && !isGoing && !isDeleting(object)) adopt.push(object);
  }
  return { owned, adopt, release };
}

/** A strategic merge patch. It is refused for another object of the same name, and when the labels have changed since. */
export const adoptPatch = (owner: KubeObject, object: KubeObject): JsonObject => ({
  metadata: { ...asSeen(object), ownerReferences: [controllerReference(owner)] },
});

/** The same. */
export const releasePatch = (owner: KubeObject, object: KubeObject): JsonObject => ({
  metadata: { ...asSeen(object), ownerReferences: [{ $patch: 'delete', uid: uidOf(owner) }] },
});

const asSeen = (object: KubeObject): JsonObject => ({
  uid: uidOf(object),
  resourceVersion: resourceVersionOf(object),
});
