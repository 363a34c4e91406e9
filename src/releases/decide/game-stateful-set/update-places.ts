import type { Hold } from '#releases/decide/reasons.ts';
import { updateDepsOf } from '#releases/decide/update-deps.ts';
import { updatePod } from '#releases/decide/update-pod.ts';
import { hasItsVolumes } from './identity.ts';
import type { Look } from './look.ts';
import type { Place } from './places.ts';
import { selectUpdates } from './select-updates.ts';

/** Brings pods to the target revision as far as steps, order, budget and hooks allow (§3.3). */
export function updatePlaces(look: Look, places: readonly Place[]): void {
  const { release, isOrdered } = look;
  const { spec, partition, hooks, findings } = release;
  if (spec.type === 'OnDelete' || release.isHeld) return;
  const { selected, postponed } = selectUpdates({
    places,
    replicas: spec.replicas,
    partition,
    maxUnavailable: spec.maxUnavailable,
    isOrdered,
    isDue: (place) => place.view?.isActive === true && isDue(look, place),
    isChosen: (view) =>
      view.leaving !== undefined || hooks.isAsked('pre-delete', view) || hooks.isAsked('pre-inplace', view),
  });
  const deps = updateDepsOf(look.release);
  for (const { view } of selected) {
    if (view === undefined) continue;
    // What is of the right revision and yet due has the wrong volumes, which no update in place mends.
    const isMoved = view.revision === look.targetRevision;
    updatePod(isMoved ? { ...deps, type: 'RollingUpdate' } : deps, view);
  }
  if (postponed > 0 && selected.length === 0) findings.hold(budgetHold(look, postponed));
}

function budgetHold({ isOrdered, release }: Look, postponed: number): Hold {
  const { maxUnavailable } = release.spec;
  if (isOrdered && maxUnavailable === 0) {
    const message = `${postponed} pods can never be updated: maxUnavailable is 0, and maxSurge counts only with podManagementPolicy Parallel. Set maxUnavailable to 1 or more.`;
    return { reason: 'InvalidSpec', message };
  }
  const message = `${postponed} pods wait for their update: as many are out of service as maxUnavailable (${maxUnavailable}) allows.`;
  return { reason: 'MaxUnavailableReached', message };
}

/** Whether a pod is not what its place wants. */
export function isDue({ sight, targetRevision }: Look, { view, ordinal }: Place): boolean {
  if (view === undefined) return false;
  return view.revision !== targetRevision || !hasItsVolumes(sight.workload, view.pod, ordinal);
}
