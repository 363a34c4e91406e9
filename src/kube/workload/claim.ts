import type { JsonObject } from '#base/json.ts';
import { matchesLabels, type LabelSelector } from '#kube/label-selector.ts';
import { isDeleting, labelsOf, uidOf, type KubeObject } from '#kube/object.ts';
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

/** A strategic merge patch; the uid in it refuses another object of the same name. */
export const adoptPatch = (owner: KubeObject, object: KubeObject): JsonObject => ({
  metadata: { uid: uidOf(object), ownerReferences: [controllerReference(owner)] },
});

export const releasePatch = (owner: KubeObject, object: KubeObject): JsonObject => ({
  metadata: { uid: uidOf(object), ownerReferences: [{ $patch: 'delete', uid: uidOf(owner) }] },
});
