import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import { keepBooks } from '#releases/decide/bookkeeping.ts';
import { closeRelease } from '#releases/decide/close-release.ts';
import { batchLeft } from '#releases/decide/create-batch.ts';
import {
  keepFinalizer,
  leave,
  releaseFinalizer,
  stay,
  withdraw,
  type LeaveDeps,
} from '#releases/decide/leave.ts';
import { costOf } from '#releases/decide/pod-order.ts';
import { isInServiceFor, isLeavingByScale, type PodView } from '#releases/decide/pod-view.ts';
import { releaseSpecOf } from '#releases/decide/release-spec.ts';
import { openRelease, type Release } from '#releases/decide/release.ts';
import { keptRevision } from '#releases/decide/revision-view.ts';
import type { Decision, Sight } from '#releases/decide/sight.ts';
import { updateDepsOf } from '#releases/decide/update-deps.ts';
import { updatePod } from '#releases/decide/update-pod.ts';
import { costOrderAnnotation, instanceLabel, nodeCostAnnotation } from '#releases/decide/words.ts';
import { annotationsOf, isDeleting, nameOf } from '#kube/object.ts';
import { chooseVictims } from './choose-victims.ts';
import { decideScale } from './scale.ts';
import { selectUpdates } from './select-updates.ts';
import { specTrouble } from '#releases/decide/spec-trouble.ts';

/** Everything that follows from one look at a GameDeployment. */
export function decideGameDeployment(sight: Sight, spec: GameDeployment['spec']): Decision {
  const { partition, maxUnavailable, maxSurge } = spec.updateStrategy ?? {};
  const amounts = { partition, maxUnavailable, maxSurge, minReadySeconds: spec.minReadySeconds };
  const release = openRelease(sight, releaseSpecOf(spec, amounts), { instanceOf });
  const deps: LeaveDeps = {
    hooks: release.hooks,
    strategy: release.spec.preDelete,
    findings: release.findings,
  };
  const active = release.views.filter((view) => view.isActive);
  for (const view of release.views) lookAfter(release, deps, view);
  const { podsToDelete, createBatch } = spec.scaleStrategy ?? {};
  const requested = new Set(podsToDelete);
  const trouble = specTrouble(sight);
  release.findings.hold(trouble);
  const isStill = trouble !== undefined || isDeleting(sight.workload);
  const isScaling = !isStill && scale(release, deps, { active, requested, createBatch });
  const updated = isStill || isScaling || release.isHeld ? noPods : update(release, active);
  keepAll(release, active, updated);
  return closeRelease(release, {
    extraStatus: { availableReplicas: release.counts.available },
    ...podsToDeleteChange(requested, release.views),
    isScaling,
  });
}

const noPods: ReadonlySet<PodView> = new Set();

/** The end of the name of a pod. */
const instanceOf = ({ facts }: PodView): string =>
  facts.labels[instanceLabel] ?? facts.name.slice(facts.name.lastIndexOf('-') + 1);

/** Finalizers, and pods that go whatever else is decided. */
function lookAfter({ departure, target }: Release, deps: LeaveDeps, view: PodView): void {
  if (view.facts.isDeleting) {
    releaseFinalizer(deps, view, departure.type === 'unasked');
    return;
  }
  if (!view.isActive || departure.type === 'unasked') return;
  if (departure.type === 'asked') {
    leave(deps, view, 'scale-down');
    return;
  }
  keepFinalizer(deps, view);
  if (view.leaving === 'rolling-update' && view.revision === nameOf(target)) stay(deps, view);
}

type ScaleSight = {
  readonly active: readonly PodView[];
  readonly requested: ReadonlySet<string>;
  readonly createBatch: number | string | undefined;
};

/** Makes and removes pods (§2.5); true when updates must wait for the next look. */
function scale(release: Release, deps: LeaveDeps, { active, requested, createBatch }: ScaleSight): boolean {
  const { spec, target, partition, isHeld, findings, sight, oldest, revisions } = release;
  for (const view of active.filter(isLeavingByScale))
    leave(deps, view, view.leaving === 'requested' ? 'requested' : 'scale-down');
  const wished = active.filter((view) => requested.has(view.facts.name) && !isLeavingByScale(view));
  for (const view of wished) leave(deps, view, 'requested');
  if (wished.length > 0) return true;
  const pods = active.filter((view) => !isLeavingByScale(view));
  const notUpdated = pods.filter((view) => view.revision !== nameOf(target)).length;
  const kept = keptRevision(sight.workload, oldest, revisions, target);
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
    for (const view of victims(release, pods, decision)) leave(deps, view, 'scale-down');
    return true;
  }
  const left = batchLeft(sight.workload, createBatch, spec.replicas, active);
  const old = Math.min(decision.old, left);
  const updated = Math.min(decision.updated, left - old);
  if (old > 0) findings.act({ type: 'create-pods', revision: kept, count: old });
  if (updated > 0) findings.act({ type: 'create-pods', revision: target, count: updated });
  return true;
}

function victims(
  { sight, target, spec }: Release,
  pods: readonly PodView[],
  { count, old }: { readonly count: number; readonly old: number },
): readonly PodView[] {
  return chooseVictims({
    pods,
    targetRevision: nameOf(target),
    count,
    old,
    leastInService: spec.replicas - spec.maxUnavailable,
    isServing: (view) => isInServiceFor(view, spec.minReadySeconds, sight.now),
    nodeCost: (name: string): number | undefined => {
      const node = sight.node(name);
      return node === undefined ? undefined : costOf(node, nodeCostAnnotation);
    },
    isDescending: annotationsOf(sight.workload)[costOrderAnnotation] === 'descend',
  });
}

/** Brings pods to the target revision as far as steps, budget and hooks allow (§2.6). */
function update(release: Release, active: readonly PodView[]): ReadonlySet<PodView> {
  const { spec, target, hooks, sight, findings } = release;
  const pods = active.filter((view) => !isLeavingByScale(view));
  const { selected, postponed, kept } = selectUpdates({
    pods,
    targetRevision: nameOf(target),
    partition: spec.type === 'OnDelete' ? pods.length : release.partition,
    replicas: spec.replicas,
    maxUnavailable: spec.maxUnavailable,
    minReadySeconds: spec.minReadySeconds,
    isChosen: (view) =>
      view.leaving !== undefined || hooks.isAsked('pre-delete', view) || hooks.isAsked('pre-inplace', view),
    now: sight.now,
  });
  const deps = updateDepsOf(release);
  for (const view of selected) updatePod(deps, view);
  for (const view of kept) withdraw({ hooks, findings }, view);
  if (postponed > 0 && selected.length === 0) {
    findings.hold({
      reason: 'MaxUnavailableReached',
      message: `${postponed} pods wait for their update: as many are out of service as maxUnavailable (${spec.maxUnavailable}) allows.`,
    });
  }
  return new Set(selected);
}

/** Gates and updates in place of all others, paused or not (G2). */
function keepAll(
  { hooks, findings, spec, sight }: Release,
  active: readonly PodView[],
  updated: ReadonlySet<PodView>,
): void {
  for (const view of active) {
    if (updated.has(view)) continue;
    keepBooks(
      {
        hooks,
        findings,
        postHook: spec.postInplace,
        deadlineSeconds: spec.inPlaceDeadlineSeconds,
        now: sight.now,
      },
      view,
    );
  }
}

/** Pods that are gone are taken off the list (G12). */
function podsToDeleteChange(
  requested: ReadonlySet<string>,
  views: readonly PodView[],
): { readonly extraSpec?: { readonly scaleStrategy: { readonly podsToDelete: readonly string[] } } } {
  const there = new Set(views.map(({ facts }) => facts.name));
  const left = [...requested].filter((name) => there.has(name));
  return left.length === requested.size ? {} : { extraSpec: { scaleStrategy: { podsToDelete: left } } };
}
