import type { ReleasePod } from '#releases/decide/pod-view.ts';
import type { ReplicaSlot } from './replica-slots.ts';

export type StatefulUpdatesGiven = {
  /** The slots of the replicas and of the surge. */
  readonly slots: readonly ReplicaSlot[];
  readonly replicas: number;
  /** Number of slots, from the lowest, that are not updated. */
  readonly partition: number;
  readonly maxUnavailable: number;
  readonly isOrdered: boolean;
  readonly isDue: (slot: ReplicaSlot) => boolean;
  /** Chosen at an earlier reconcile: such pods come first. */
  readonly isChosen: (pod: ReleasePod) => boolean;
};

export type StatefulUpdates = {
  readonly selected: readonly ReplicaSlot[];
  /** Number of pods that maxUnavailable excludes now. */
  readonly postponed: number;
};

/**
 * The pods to update now, from the highest ordinal down, as many as maxUnavailable allows; one by one in an ordered
 * update. Pods that are not in service do not count, so that a new template can repair broken pods.
 */
export function selectUpdates(given: StatefulUpdatesGiven): StatefulUpdates {
  const { slots, replicas, maxUnavailable, isOrdered } = given;
  const inService = slots.filter(({ view }) => view?.isInService === true).length;
  let allowed = inService - (replicas - maxUnavailable);
  const selected: ReplicaSlot[] = [];
  let postponed = 0;
  for (const slot of dueInOrder(given)) {
    if (isOrdered && selected.length > 0) break;
    if (slot.view?.isInService === true) {
      if (allowed <= 0) {
        postponed += 1;
        continue;
      }
      allowed -= 1;
    }
    selected.push(slot);
  }
  return { selected, postponed };
}

function dueInOrder({ slots, partition, isDue, isChosen }: StatefulUpdatesGiven): readonly ReplicaSlot[] {
  const due = slots.filter((slot) => !slot.isSurge && slot.index >= partition && isDue(slot)).toReversed();
  const isFirst = ({ view }: ReplicaSlot): boolean => view !== undefined && isChosen(view);
  const first = due.filter(isFirst);
  return first.length === 0 ? due : [...first, ...due.filter((slot) => !isFirst(slot))];
}
