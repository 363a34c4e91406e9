import type { DecisionPart } from '#releases/decide/decision-draft.ts';
import { deletePod } from '#releases/decide/delete-pod.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { isFinished } from '#kube/workload/pod-facts.ts';
import { isSurgePod, type ReplicaSlots } from './replica-slots.ts';
import { waitFor, type PodChanges, type StatefulRelease } from './stateful-release.ts';

/** Deletes pods that have no slot, the highest ordinal first, each when its hook passes. */
export function deleteCondemned({ isOrdered, release }: StatefulRelease, slots: ReplicaSlots): PodChanges {
  const unhealthy = firstUnhealthy(slots);
  const parts: DecisionPart[] = [];
  let spare = spareOf(release);
  for (const view of slots.condemned) {
    const { name, isDeleting } = view.facts;
    if (isDeleting) {
      if (isOrdered) return waitFor(`Pod ${name} is on its way out.`);
      continue;
    }
    if (isOrdered && !view.isInService && view !== unhealthy && !isFinished(view.facts))
      return waitFor(`Pod ${name} is removed once it is in service, or once others that are not are gone.`);
    if (view.isInService) {
      // Surge of an earlier template: it stays in service while too many others are not.
      if (!isOrdered && spare <= 0 && isSurgePod(view)) continue;
      spare -= 1;
    }
    const part = deletePod(release, view, 'scale-down');
    // While a pod waits for its hook nothing changes: others need not wait with it.
    if (isOrdered) return { parts: [part], isBlocked: isDeletion(part) };
    parts.push(part);
  }
  return { parts, isBlocked: false };
}

/** The number of pods in service above what maxUnavailable requires. */
const spareOf = ({ views, spec }: StatefulRelease['release']): number =>
  views.filter(({ isInService }) => isInService).length - (spec.replicas - spec.maxUnavailable);

const isDeletion = ({ actions = [] }: DecisionPart): boolean =>
  actions.some(({ type }) => type === 'delete-pod');

/** The unhealthy pod of the lowest ordinal: it is deleted although it is not in service. */
function firstUnhealthy({ wanted, condemned }: ReplicaSlots): ReleasePod | undefined {
  const inSlot = wanted.find(({ view }) => view === undefined || !view.isInService);
  if (inSlot !== undefined) return inSlot.view;
  return condemned.findLast((view) => !view.isInService);
}
