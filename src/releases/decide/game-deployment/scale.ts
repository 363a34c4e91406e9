/** What scaling is decided by (§2.5). Pods that are on their way out by an earlier decision are not counted. */
export type ScaleGiven = {
  readonly replicas: number;
  readonly pods: number;
  /** Of these, those that are not of the update revision. */
  readonly notUpdated: number;
  /** How many shall stay old. */
  readonly partition: number;
  readonly maxSurge: number;
  /** A release is under way: not all pods have the update revision. */
  readonly isReleasing: boolean;
  /** Nothing new is begun: what is there in excess stays, and no more is added. */
  readonly isHeld: boolean;
};

export type ScaleDecision =
  | { readonly type: 'none' }
  | { readonly type: 'create'; readonly updated: number; readonly old: number }
  /** `old` at most from the pods that are not updated, the rest from the others. */
  | { readonly type: 'remove'; readonly count: number; readonly old: number };

export function decideScale(given: ScaleGiven): ScaleDecision {
  const { replicas, pods, notUpdated, isReleasing, isHeld } = given;
  const partition = Math.min(given.partition, replicas);
  const surge = surgeOf(given, partition);
  const missing = replicas + (isHeld ? 0 : surge) - pods;
  if (missing > 0) {
    const old = isReleasing && partition > 0 ? Math.min(missing, Math.max(0, partition - notUpdated)) : 0;
    return { type: 'create', updated: missing - old, old };
  }
  const count = pods - replicas - surge;
  if (count <= 0) return { type: 'none' };
  const spareOld = partition > 0 ? Math.max(0, notUpdated - partition) : notUpdated;
  return { type: 'remove', count, old: Math.min(count, spareOld) };
}

/** Never below nothing: a lost pod of the old revision must not cost a healthy one (G3). */
function surgeOf({ maxSurge, notUpdated, isReleasing }: ScaleGiven, partition: number): number {
  if (!isReleasing) return 0;
  return Math.max(0, Math.min(maxSurge, partition > 0 ? notUpdated - partition : notUpdated));
}
