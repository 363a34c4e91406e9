import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import {
  actionPart,
  blockerPart,
  joinParts,
  noPart,
  type DecisionPart,
} from '#releases/decide/decision-draft.ts';
import { cancelDeletion, deletePod, releaseDeletedPod, syncFinalizer } from '#releases/decide/delete-pod.ts';
import { finishDecision } from '#releases/decide/finish-decision.ts';
import { instanceLabel } from '#releases/model/well-known.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { deploymentReleaseSpec } from '#releases/decide/release-spec.ts';
import { assessRelease, type Release } from '#releases/decide/release.ts';
import { changedPods, settleInPlaceUpdate } from '#releases/decide/settle-in-place-updates.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { specProblem } from '#releases/decide/spec-problem.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { noScaling, scalePods } from './scale-pods.ts';
import { noUpdates, updateSelected } from './update-selected.ts';

/** Decides what to do for a GameDeployment: finalizers, then scaling, then updates, then the status. */
export function decideGameDeployment(snapshot: WorkloadSnapshot, spec: GameDeployment['spec']): Decision {
  const release = assessRelease(snapshot, deploymentReleaseSpec(spec), { instanceOf });
  const active = release.views.filter((view) => view.isActive);
  const { podsToDelete, createBatch } = spec.scaleStrategy ?? {};
  const requested = new Set(podsToDelete);
  const problem = specProblem(snapshot);
  const isFixed = problem !== undefined || isDeleting(snapshot.workload);
  const scaling = isFixed ? noScaling : scalePods(release, { active, requested, createBatch });
  const isUpdating = !isFixed && !scaling.isScaling && !release.isHeld;
  const update = isUpdating ? updateSelected(release, active) : noUpdates;
  const draft = joinParts([
    release.stepPart,
    ...release.views.map((view) => reconcileFinalizers(release, view)),
    blockerPart(problem),
    ...scaling.parts,
    ...update.parts,
  ]);
  const changing = changedPods(draft);
  const others = active.filter((view) => !update.selected.has(view) && !changing.has(view.pod));
  const settled = others.map((view) => settleInPlaceUpdate(release, draft, view));
  return finishDecision(release, joinParts([draft, ...settled]), {
    extraStatus: { availableReplicas: release.counts.available },
    ...podsToDeleteChange(requested, release),
    isScaling: scaling.isScaling,
  });
}

/** The end of the name of a pod. */
const instanceOf = ({ facts }: ReleasePod): string =>
  facts.labels[instanceLabel] ?? facts.name.slice(facts.name.lastIndexOf('-') + 1);

/** Finalizers, and pods that are deleted whatever else is decided. */
function reconcileFinalizers(release: Release, view: ReleasePod): DecisionPart {
  const { deletion, target } = release;
  if (view.facts.isDeleting) return releaseDeletedPod(release, view);
  if (!view.isActive || deletion.type === 'unasked') return noPart;
  if (deletion.type === 'asked') return deletePod(release, view, 'scale-down');
  const finalizer = syncFinalizer(release, view);
  if (view.leaving !== 'rolling-update' || view.revision !== nameOf(target)) return finalizer;
  return actionPart(...(finalizer.actions ?? []), ...(cancelDeletion(view).actions ?? []));
}

/** Removes pods that are gone from `podsToDelete`; users may have named one that is not seen yet. */
function podsToDeleteChange(
  requested: ReadonlySet<string>,
  { views, snapshot }: Release,
): { readonly extraSpec?: { readonly scaleStrategy: { readonly podsToDelete: readonly string[] } } } {
  if (snapshot.isBehind === true) return {};
  const there = new Set(views.map(({ facts }) => facts.name));
  const left = [...requested].filter((name) => there.has(name));
  return left.length === requested.size ? {} : { extraSpec: { scaleStrategy: { podsToDelete: left } } };
}
