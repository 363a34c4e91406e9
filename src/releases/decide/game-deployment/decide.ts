import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import { settleInPlaceUpdate } from '#releases/decide/settle-in-place-updates.ts';
import { finishDecision } from '#releases/decide/finish-decision.ts';
import { batchLeft } from '#releases/decide/create-batch.ts';
import {
  keepFinalizer,
  leave,
  releaseFinalizer,
  stay,
  withdraw,
  type DeletePodDeps,
} from '#releases/decide/delete-pod.ts';
import { costOf } from '#releases/decide/pod-order.ts';
import { isInServiceFor, isScaledDown, type ReleasePod } from '#releases/decide/pod-view.ts';
import { releaseSpecOf } from '#releases/decide/release-spec.ts';
import { assessRelease, type Release } from '#releases/decide/release.ts';
import { keptRevision } from '#releases/decide/revision-view.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { updateDepsOf } from '#releases/decide/update-deps.ts';
import { updatePod } from '#releases/decide/update-pod.ts';
import { costOrderAnnotation, instanceLabel, nodeCostAnnotation } from '#releases/decide/well-known.ts';
import { annotationsOf, isDeleting, nameOf } from '#kube/object.ts';
import { choosePodsToDelete } from './choose-pods-to-delete.ts';
import { decideScale } from './scale.ts';
import { selectUpdates } from './select-updates.ts';
import { specProblem } from '#releases/decide/spec-problem.ts';

/** Everything that follows from one look at a GameDeployment. */
export function decideGameDeployment(snapshot: WorkloadSnapshot, spec: GameDeployment['spec']): Decision {
  const { partition, maxUnavailable, maxSurge } = spec.updateStrategy ?? {};
  const amounts = { partition, maxUnavailable, maxSurge, minReadySeconds: spec.minReadySeconds };
  const release = assessRelease(snapshot, releaseSpecOf(spec, amounts), { instanceOf });
  const deps: DeletePodDeps = {
    hooks: release.hooks,
    strategy: release.spec.preDelete,
    draft: release.draft,
  };
  const active = release.views.filter((view) => view.isActive);
  for (const view of release.views) reconcileFinalizers(release, deps, view);
  const { podsToDelete, createBatch } = spec.scaleStrategy ?? {};
  const requested = new Set(podsToDelete);
  const trouble = specProblem(snapshot);
  release.draft.blocker(trouble);
  const isStill = trouble !== undefined || isDeleting(snapshot.workload);
  const isScaling = !isStill && scale(release, deps, { active, requested, createBatch });
  const updated = isStill || isScaling || release.isHeld ? noPods : update(release, active);
  keepAll(release, active, updated);
  return finishDecision(release, {
    extraStatus: { availableReplicas: release.counts.available },
    ...podsToDeleteChange(requested, release.views),
    isScaling,
  });
}

const noPods: ReadonlySet<ReleasePod> = new Set();

/** The end of the name of a pod. */
const instanceOf = ({ facts }: ReleasePod): string =>
  facts.labels[instanceLabel] ?? facts.name.slice(facts.name.lastIndexOf('-') + 1);

/** Finalizers, and pods that go whatever else is decided. */
function reconcileFinalizers({ deletion, target }: Release, deps: DeletePodDeps, view: ReleasePod): void {
  if (view.facts.isDeleting) {
    releaseFinalizer(deps, view, deletion.type === 'unasked');
    return;
  }
  if (!view.isActive || deletion.type === 'unasked') return;
  if (deletion.type === 'asked') {
    leave(deps, view, 'scale-down');
    return;
  }
  keepFinalizer(deps, view);
  if (view.leaving === 'rolling-update' && view.revision === nameOf(target)) stay(deps, view);
}

type ScaleSight = {
  readonly active: readonly ReleasePod[];
  readonly requested: ReadonlySet<string>;
  readonly createBatch: number | string | undefined;
};

/** Makes and removes pods (§2.5); true when updates must wait for the next look. */
function scale(
  release: Release,
  deps: DeletePodDeps,
  { active, requested, createBatch }: ScaleSight,
): boolean {
  const { spec, target, partition, isHeld, draft, snapshot, oldest, revisions } = release;
  for (const view of active.filter(isScaledDown))
    leave(deps, view, view.leaving === 'requested' ? 'requested' : 'scale-down');
  const wished = active.filter((view) => requested.has(view.facts.name) && !isScaledDown(view));
  for (const view of wished) leave(deps, view, 'requested');
  if (wished.length > 0) return true;
  const pods = active.filter((view) => !isScaledDown(view));
  const notUpdated = pods.filter((view) => view.revision !== nameOf(target)).length;
  const kept = keptRevision(snapshot.workload, oldest, revisions, target);
  const decision = decideScale({
    replicas: spec.replicas,
    pods: pods.length,
    notUpdated,
    partition,
    maxSurge: spec.maxSurge,
    isReleasing: notUpdated > 0 || nameOf(kept) !== nameOf(target),
    isHeld,
  });
  if (decision.type === 'none') return false;
  if (decision.type === 'remove') {
    for (const view of podsToRemove(release, pods, decision)) leave(deps, view, 'scale-down');
    return true;
  }
  const left = batchLeft(snapshot.workload, createBatch, spec.replicas, active);
  const old = Math.min(decision.old, left);
  const updated = Math.min(decision.updated, left - old);
  if (old > 0) draft.action({ type: 'create-pods', revision: kept, count: old });
  if (updated > 0) draft.action({ type: 'create-pods', revision: target, count: updated });
  return true;
}

function podsToRemove(
  { snapshot, target, spec }: Release,
  pods: readonly ReleasePod[],
  { count, old }: { readonly count: number; readonly old: number },
): readonly ReleasePod[] {
  return choosePodsToDelete({
    pods,
    targetRevision: nameOf(target),
    count,
    old,
    leastInService: spec.replicas - spec.maxUnavailable,
    isServing: (view) => isInServiceFor(view, spec.minReadySeconds, snapshot.now),
    nodeCost: (name: string): number | undefined => {
      const node = snapshot.node(name);
      return node === undefined ? undefined : costOf(node, nodeCostAnnotation);
    },
    isDescending: annotationsOf(snapshot.workload)[costOrderAnnotation] === 'descend',
  });
}

/** Brings pods to the target revision as far as steps, budget and hooks allow (§2.6). */
function update(release: Release, active: readonly ReleasePod[]): ReadonlySet<ReleasePod> {
  const { spec, target, hooks, snapshot, draft } = release;
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
  const deps = updateDepsOf(release);
  for (const view of selected) updatePod(deps, view);
  for (const view of kept) withdraw({ hooks, draft }, view);
  if (postponed > 0 && selected.length === 0) {
    draft.blocker({
      reason: 'MaxUnavailableReached',
      message: `${postponed} pods wait for their update: as many are out of service as maxUnavailable (${spec.maxUnavailable}) allows.`,
    });
  }
  return new Set(selected);
}

/** Gates and updates in place of all others, paused or not (G2). */
function keepAll(
  { hooks, draft, spec, snapshot }: Release,
  active: readonly ReleasePod[],
  updated: ReadonlySet<ReleasePod>,
): void {
  for (const view of active) {
    if (updated.has(view)) continue;
    settleInPlaceUpdate(
      {
        hooks,
        draft,
        postHook: spec.postInplace,
        deadlineSeconds: spec.inPlaceDeadlineSeconds,
        now: snapshot.now,
      },
      view,
    );
  }
}

/** Pods that are gone are taken off the list (G12). */
function podsToDeleteChange(
  requested: ReadonlySet<string>,
  views: readonly ReleasePod[],
): { readonly extraSpec?: { readonly scaleStrategy: { readonly podsToDelete: readonly string[] } } } {
  const there = new Set(views.map(({ facts }) => facts.name));
  const left = [...requested].filter((name) => there.has(name));
  return left.length === requested.size ? {} : { extraSpec: { scaleStrategy: { podsToDelete: left } } };
}
