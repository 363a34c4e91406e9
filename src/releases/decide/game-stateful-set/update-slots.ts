import { blockerPart, type DecisionPart } from '#releases/decide/decision-draft.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import { updatePods } from '#releases/decide/update-pod.ts';
import { hasItsVolumes } from './identity.ts';
import type { ReplicaSlot } from './replica-slots.ts';
import { selectUpdates } from './select-updates.ts';
import type { StatefulRelease } from './stateful-release.ts';

/** Updates pods to the target revision as far as steps, order, maxUnavailable and hooks allow. */
export function updateSlots(set: StatefulRelease, slots: readonly ReplicaSlot[]): readonly DecisionPart[] {
  const { release, isOrdered, targetRevision } = set;
  const { spec, partition, hooks } = release;
  if (spec.type === 'OnDelete' || release.isHeld) return [];
  const { selected, postponed } = selectUpdates({
    slots,
    replicas: spec.replicas,
    partition,
    maxUnavailable: spec.maxUnavailable,
    isOrdered,
    isDue: (slot) => slot.view?.isActive === true && isDue(set, slot),
    isChosen: (view) =>
      view.leaving !== undefined || hooks.isAsked('pre-delete', view) || hooks.isAsked('pre-inplace', view),
  });
  const views = selected.flatMap(({ view }) => (view === undefined ? [] : [view]));
  // A pod of the target revision is due when it has the wrong volumes: only a new pod gets the right ones.
  const typeFor = ({ revision }: { readonly revision: string }) =>
    revision === targetRevision ? 'RollingUpdate' : spec.type;
  const isLimited = postponed > 0 && selected.length === 0;
  return [
    ...updatePods(release, views, typeFor),
    blockerPart(isLimited ? limitBlocker(set, postponed) : undefined),
  ];
}

function limitBlocker({ isOrdered, release }: StatefulRelease, postponed: number): Blocker {
  const { maxUnavailable } = release.spec;
  if (isOrdered && maxUnavailable === 0) {
    const message = `${postponed} pods can never be updated: maxUnavailable is 0, and maxSurge counts only with podManagementPolicy Parallel. Set maxUnavailable to 1 or more.`;
    return { reason: 'InvalidSpec', message };
  }
  const message = `${postponed} pods wait for their update: as many are out of service as maxUnavailable (${maxUnavailable}) allows.`;
  return { reason: 'MaxUnavailableReached', message };
}

/** Whether a pod has another revision or other volumes than its slot needs. */
export function isDue(
  { snapshot, targetRevision }: StatefulRelease,
  { view, ordinal }: ReplicaSlot,
): boolean {
  if (view === undefined) return false;
  return view.revision !== targetRevision || !hasItsVolumes(snapshot.workload, view.pod, ordinal);
}
