import type { Instant } from '#base/time.ts';
import { byValue } from '#releases/decide/pod-order.ts';
import { isInServiceFor, type ReleasePod } from '#releases/decide/pod-view.ts';

export type UpdatesGiven = {
  /** Active pods that are not on their way out by scaling. */
  readonly pods: readonly ReleasePod[];
  readonly targetRevision: string;
  /** How many shall stay old. */
  readonly partition: number;
  readonly replicas: number;
  readonly maxUnavailable: number;
  readonly minReadySeconds: number;
  /** Chosen at an earlier look: who was asked about stays chosen. */
  readonly isChosen: (pod: ReleasePod) => boolean;
  readonly now: Instant;
};

export type Updates = {
  readonly selected: readonly ReleasePod[];
  /** Candidates that the budget left out for now. */
  readonly postponed: number;
  /** Candidates that stay old. */
  readonly kept: readonly ReleasePod[];
};

/**
 * Which pods are updated now (§2.6): out of those that may, as many as the budget allows; a pod that is out of
 * service anyway costs nothing.
 */
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
      // One that is in service and not yet available is counted already.
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
