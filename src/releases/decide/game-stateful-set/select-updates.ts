import type { ReleasePod } from '#releases/decide/pod-view.ts';
import type { ReplicaSlot } from './replica-slots.ts';

export type UpdatesGiven = {
  /** The places of the replicas and of the surge. */
  readonly slots: readonly ReplicaSlot[];
  readonly replicas: number;
  /** So many of the lowest places stay as they are. */
  readonly partition: number;
  readonly maxUnavailable: number;
  readonly isOrdered: boolean;
  readonly isDue: (slot: ReplicaSlot) => boolean;
  /** Chosen at an earlier look: who was asked about stays chosen. */
  readonly isChosen: (pod: ReleasePod) => boolean;
};

export type Updates = {
  readonly selected: readonly ReplicaSlot[];
  /** Pods that the budget left out for now. */
  readonly postponed: number;
};

/**
 * Which pods are updated now (§3.3): from the highest ordinal down, as many as may be out of service; one after
 * another if they are ordered. A pod that is out of service anyway costs nothing, whatever its place: a new
 * template heals a set whose pods are broken (S2).
 */
export function selectUpdates(given: UpdatesGiven): Updates {
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

function dueInOrder({ slots, partition, isDue, isChosen }: UpdatesGiven): readonly ReplicaSlot[] {
  const due = slots.filter((slot) => !slot.isSurge && slot.index >= partition && isDue(slot)).toReversed();
  const isFirst = ({ view }: ReplicaSlot): boolean => view !== undefined && isChosen(view);
  const first = due.filter(isFirst);
  return first.length === 0 ? due : [...first, ...due.filter((slot) => !isFirst(slot))];
}
