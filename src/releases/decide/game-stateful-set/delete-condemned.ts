import type { DecisionPart } from '#releases/decide/decision-draft.ts';
import { deletePod } from '#releases/decide/delete-pod.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { isFinished } from '#kube/workload/pod-facts.ts';
import type { ReplicaSlots } from './replica-slots.ts';
import { noChanges, waitFor, type PodChanges, type StatefulRelease } from './stateful-release.ts';

/** Deletes pods that have no slot, the highest ordinal first, each when its hook passes. */
export const deleteCondemned = (set: StatefulRelease, slots: ReplicaSlots): PodChanges =>
  set.isOrdered ? deleteInOrder(set, slots) : deleteAtOnce(set, slots);

/** One after the other. While a pod waits for its hook or for others, nothing changes: others need not wait with it. */
function deleteInOrder({ release }: StatefulRelease, slots: ReplicaSlots): PodChanges {
  const [view] = slots.condemned;
  if (view === undefined) return noChanges;
  const { name, isDeleting } = view.facts;
  if (isDeleting) return waitFor(`Pod ${name} is on its way out.`);
  if (!view.isInService && view !== firstUnhealthy(slots) && !isFinished(view.facts))
    return waitFor(`Pod ${name} is removed once it is in service, or once others that are not are gone.`);
  if (view.isInService && spareOf(release) <= 0)
    return { parts: [waitsForOthers(release, view)], isBlocked: false };
  const part = deletePod(release, view, 'scale-down');
  return { parts: [part], isBlocked: isDeletion(part) };
}

/** A pod stays in service while too many others are not, such as those that are being updated. */
function deleteAtOnce({ release }: StatefulRelease, { condemned }: ReplicaSlots): PodChanges {
  const parts: DecisionPart[] = [];
  const kept: ReleasePod[] = [];
  let spare = spareOf(release);
  for (const view of condemned) {
    if (view.facts.isDeleting) continue;
    if (view.isInService && spare <= 0) {
      kept.push(view);
      continue;
    }
    if (view.isInService) spare -= 1;
    parts.push(deletePod(release, view, 'scale-down'));
  }
  const [first] = kept;
  return {
    parts: first === undefined ? parts : [...parts, waitsForOthers(release, first)],
    isBlocked: false,
  };
}

const waitsForOthers = ({ spec }: StatefulRelease['release'], { facts }: ReleasePod): DecisionPart => {
  const message = `Pod ${facts.name} is removed once enough others are in service: maxUnavailable is ${spec.maxUnavailable}.`;
  return { blockers: [{ reason: 'WaitingForPods', message }] };
};

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
