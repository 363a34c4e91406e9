import type { PodView } from '#releases/decide/pod-view.ts';
import type { Place } from './places.ts';

export type UpdatesGiven = {
  /** The places of the replicas and of the surge. */
  readonly places: readonly Place[];
  readonly replicas: number;
  /** So many of the lowest places stay as they are. */
  readonly partition: number;
  readonly maxUnavailable: number;
  readonly isOrdered: boolean;
  readonly isDue: (place: Place) => boolean;
  /** Chosen at an earlier look: who was asked about stays chosen. */
  readonly isChosen: (pod: PodView) => boolean;
};

export type Updates = {
  readonly selected: readonly Place[];
  /** Pods that the budget left out for now. */
  readonly postponed: number;
};

/**
 * Which pods are updated now (§3.3): from the highest ordinal down, as many as may be out of service; one after
 * another if they are ordered. A pod that is out of service anyway costs nothing, whatever its place: a new
 * template heals a set whose pods are broken (S2).
 */
export function selectUpdates(given: UpdatesGiven): Updates {
  const { places, replicas, maxUnavailable, isOrdered } = given;
  const inService = places.filter(({ view }) => view?.isInService === true).length;
  let allowed = inService - (replicas - maxUnavailable);
  const selected: Place[] = [];
  let postponed = 0;
  for (const place of dueInOrder(given)) {
    if (isOrdered && selected.length > 0) break;
    if (place.view?.isInService === true) {
      if (allowed <= 0) {
        postponed += 1;
        continue;
      }
      allowed -= 1;
    }
    selected.push(place);
  }
  return { selected, postponed };
}

function dueInOrder({ places, partition, isDue, isChosen }: UpdatesGiven): readonly Place[] {
  const due = places
    .filter((place) => !place.isSurge && place.index >= partition && isDue(place))
    .toReversed();
  const isFirst = ({ view }: Place): boolean => view !== undefined && isChosen(view);
  const first = due.filter(isFirst);
  return first.length === 0 ? due : [...first, ...due.filter((place) => !isFirst(place))];
}
