import { blockerPart, type DecisionPart } from '#releases/decide/decision-draft.ts';
import { cancelUpdate } from '#releases/decide/delete-pod.ts';
import { isScaledDown, type ReleasePod } from '#releases/decide/pod-view.ts';
import type { Release } from '#releases/decide/release.ts';
import { updatePods } from '#releases/decide/update-pod.ts';
import { nameOf } from '#kube/object.ts';
import { selectUpdates } from './select-updates.ts';

export type SelectedUpdates = {
  readonly parts: readonly DecisionPart[];
  readonly selected: ReadonlySet<ReleasePod>;
};

export const noUpdates: SelectedUpdates = { parts: [], selected: new Set() };

/** Updates pods to the target revision as far as steps, maxUnavailable and hooks allow. */
export function updateSelected(release: Release, active: readonly ReleasePod[]): SelectedUpdates {
  const { spec, target, hooks, snapshot } = release;
  const pods = active.filter((view) => !isScaledDown(view));
  const { selected, postponed, kept } = selectUpdates({
    pods,
    targetRevision: nameOf(target),
    partition: spec.type === 'OnDelete' ? pods.length : release.partition,
    replicas: spec.replicas,
    maxUnavailable: spec.maxUnavailable,
    minReadySeconds: spec.minReadySeconds,
    isChosen: (view) =>
      view.leaving !== undefined || hooks.isAsked('pre-delete', view) || hooks.isAsked('pre-inplace', view),
    now: snapshot.now,
  });
  const message = `${postponed} pods wait for their update: as many are out of service as maxUnavailable (${spec.maxUnavailable}) allows.`;
  const isLimited = postponed > 0 && selected.length === 0;
  return {
    parts: [
      ...updatePods(release, selected),
      ...kept.map((view) => cancelUpdate(release, view)),
      blockerPart(isLimited ? { reason: 'MaxUnavailableReached', message } : undefined),
    ],
    selected: new Set(selected),
  };
}
