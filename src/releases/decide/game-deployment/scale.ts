/** Pods that are already chosen for deletion by scaling are not counted. */
export type ScaleGiven = {
  readonly replicas: number;
  readonly pods: number;
  /** Of these, those that do not have the update revision. */
  readonly notUpdated: number;
  /** Number of pods that stay old. */
  readonly partition: number;
  readonly maxSurge: number;
  /** Not all pods have the update revision. */
  readonly isReleasing: boolean;
  /** The surge is not extended. */
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

/** Never negative: a lost old pod must not lead to the deletion of a healthy one. */
function surgeOf({ maxSurge, notUpdated, isReleasing }: ScaleGiven, partition: number): number {
  if (!isReleasing) return 0;
  return Math.max(0, Math.min(maxSurge, partition > 0 ? notUpdated - partition : notUpdated));
}
