import { leave } from '#releases/decide/delete-pod.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { isFinished } from '#kube/workload/pod-facts.ts';
import { waitFor, type StatefulRelease, type Verdict } from './stateful-release.ts';
import type { ReplicaSlots } from './replica-slots.ts';

/** Pods without a place go, the highest ordinal first, each when its hook consents (§3.3). */
export function deleteCondemned(set: StatefulRelease, slots: ReplicaSlots): Verdict {
  const { isOrdered, leaving, release } = set;
  const sickest = firstUnhealthy(slots);
  for (const view of slots.condemned) {
    const { name, isDeleting } = view.facts;
    if (isDeleting) {
      if (isOrdered) return waitFor(set, `Pod ${name} is on its way out.`);
      continue;
    }
    if (isOrdered && !view.isInService && view !== sickest && !isFinished(view.facts))
      return waitFor(
        set,
        `Pod ${name} is removed once it is in service, or once others that are not are gone.`,
      );
    const before = release.draft.actions.length;
    leave(leaving, view, 'scale-down');
    if (!isOrdered) continue;
    // While it waits for its hook nothing changes, so that others need not wait with it.
    const isGone = release.draft.actions.slice(before).some(({ type }) => type === 'delete-pod');
    return isGone ? 'wait' : 'go on';
  }
  return 'go on';
}

/** The unhealthy pod of the lowest ordinal: it may go although it is not in service. */
function firstUnhealthy({ wanted, condemned }: ReplicaSlots): ReleasePod | undefined {
  const inPlace = wanted.find(({ view }) => view === undefined || !view.isInService);
  if (inPlace !== undefined) return inPlace.view;
  return condemned.findLast((view) => !view.isInService);
}
