import type { Instant } from '#base/time.ts';
import { byValue } from '#releases/decide/pod-order.ts';
import { isInServiceFor, type ReleasePod } from '#releases/decide/pod-view.ts';

export type UpdatesGiven = {
  /** Active pods that are not scaled down. */
  readonly pods: readonly ReleasePod[];
  readonly targetRevision: string;
  /** Number of pods that stay old. */
  readonly partition: number;
  readonly replicas: number;
  readonly maxUnavailable: number;
  readonly minReadySeconds: number;
  /** Chosen at an earlier reconcile: such pods come first. */
  readonly isChosen: (pod: ReleasePod) => boolean;
  readonly now: Instant;
};

export type Updates = {
  readonly selected: readonly ReleasePod[];
  /** Number of pods that maxUnavailable excludes now. */
  readonly postponed: number;
  readonly kept: readonly ReleasePod[];
};

/** The pods to update now, as many as maxUnavailable allows. Pods that are not in service do not count. */
export function selectUpdates(given: UpdatesGiven): Updates {
  const { pods, targetRevision, partition, replicas, maxUnavailable, minReadySeconds, now } = given;
  const candidates = pods.filter(({ revision }) => revision !== targetRevision);
  const most = candidates.length - partition;
  if (most <= 0) return { selected: [], postponed: 0, kept: candidates };
  const ordered = chosenFirst(candidates.toSorted(byValue), given.isChosen);
  const due = ordered.slice(0, most);
  let unavailable = pods.reduce((sum, pod) => sum + Number(!isInServiceFor(pod, minReadySeconds, now)), 0);
  const budget = maxUnavailable + (pods.length - replicas);
  const selected: ReleasePod[] = [];
  for (const pod of due) {
    if (pod.isInService) {
      if (unavailable >= budget) break;
      // A pod that is in service but not available is already counted.
      if (isInServiceFor(pod, minReadySeconds, now)) unavailable += 1;
    }
    selected.push(pod);
  }
  return { selected, postponed: due.length - selected.length, kept: ordered.slice(most) };
}

function chosenFirst(
  pods: readonly ReleasePod[],
  isChosen: (pod: ReleasePod) => boolean,
): readonly ReleasePod[] {
  const chosen = pods.filter(isChosen);
  return chosen.length === 0 ? pods : [...chosen, ...pods.filter((pod) => !chosen.includes(pod))];
}
