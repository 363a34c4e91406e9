import type { Blocker } from '#releases/decide/blocker.ts';
import { updateDepsOf } from '#releases/decide/update-deps.ts';
import { updatePod } from '#releases/decide/update-pod.ts';
import { hasItsVolumes } from './identity.ts';
import type { StatefulRelease } from './stateful-release.ts';
import type { ReplicaSlot } from './replica-slots.ts';
import { selectUpdates } from './select-updates.ts';

/** Brings pods to the target revision as far as steps, order, budget and hooks allow (§3.3). */
export function updateSlots(set: StatefulRelease, slots: readonly ReplicaSlot[]): void {
  const { release, isOrdered } = set;
  const { spec, partition, hooks, draft } = release;
  if (spec.type === 'OnDelete' || release.isHeld) return;
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
  const deps = updateDepsOf(set.release);
  for (const { view } of selected) {
    if (view === undefined) continue;
    // What is of the right revision and yet due has the wrong volumes, which no update in place mends.
    const isMoved = view.revision === set.targetRevision;
    updatePod(isMoved ? { ...deps, type: 'RollingUpdate' } : deps, view);
  }
  if (postponed > 0 && selected.length === 0) draft.blocker(budgetBlocker(set, postponed));
}

function budgetBlocker({ isOrdered, release }: StatefulRelease, postponed: number): Blocker {
  const { maxUnavailable } = release.spec;
  if (isOrdered && maxUnavailable === 0) {
    const message = `${postponed} pods can never be updated: maxUnavailable is 0, and maxSurge counts only with podManagementPolicy Parallel. Set maxUnavailable to 1 or more.`;
    return { reason: 'InvalidSpec', message };
  }
  const message = `${postponed} pods wait for their update: as many are out of service as maxUnavailable (${maxUnavailable}) allows.`;
  return { reason: 'MaxUnavailableReached', message };
}

/** Whether a pod is not what its place wants. */
export function isDue(
  { snapshot, targetRevision }: StatefulRelease,
  { view, ordinal }: ReplicaSlot,
): boolean {
  if (view === undefined) return false;
  return view.revision !== targetRevision || !hasItsVolumes(snapshot.workload, view.pod, ordinal);
}
