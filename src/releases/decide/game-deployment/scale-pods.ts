import { batchLeft } from '#releases/decide/create-batch.ts';
import { actionPart, type DecisionPart } from '#releases/decide/decision-draft.ts';
import { deletePod } from '#releases/decide/delete-pod.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { costOrderAnnotation, nodeCostAnnotation } from '#releases/model/well-known.ts';
import { costOf } from '#releases/decide/pod-order.ts';
import { isInServiceFor, isScaledDown, notBeforePods, type ReleasePod } from '#releases/decide/pod-view.ts';
import type { Release } from '#releases/decide/release.ts';
import { keptRevision } from '#releases/decide/revision-view.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { choosePodsToDelete } from './choose-pods-to-delete.ts';
import { decideScale, type ScaleDecision } from './scale.ts';

export type ScalePodsGiven = {
  readonly active: readonly ReleasePod[];
  /** Names of `spec.scaleStrategy.podsToDelete`. */
  readonly requested: ReadonlySet<string>;
  readonly createBatch: number | string | undefined;
};

/** `isScaling`: updates wait until the number of pods is right. */
export type Scaling = { readonly parts: readonly DecisionPart[]; readonly isScaling: boolean };

export const noScaling: Scaling = { parts: [], isScaling: false };

/** Creates and deletes pods until there are as many as `replicas` and the surge allow. */
export function scalePods(release: Release, { active, requested, createBatch }: ScalePodsGiven): Scaling {
  const { spec, target, partition, isHeld, snapshot, current, revisions } = release;
  const scaledDown = active.filter(isScaledDown);
  const pods = active.filter((view) => !isScaledDown(view));
  const wished = pods.filter((view) => requested.has(view.facts.name));
  const deletions = [
    ...scaledDown.map((view) =>
      deletePod(release, view, view.leaving === 'requested' ? 'requested' : 'scale-down'),
    ),
    ...wished.map((view) => deletePod(release, view, 'requested')),
  ];
  if (wished.length > 0) return { parts: deletions, isScaling: true };
  const notUpdated = pods.filter((view) => view.revision !== nameOf(target)).length;
  const kept = keptRevision(snapshot.workload, current, revisions, target);
  const decision = decideScale({
    replicas: spec.replicas,
    pods: pods.length,
    notUpdated,
    partition,
    maxSurge: spec.maxSurge,
    isReleasing: notUpdated > 0 || nameOf(kept) !== nameOf(target),
    isHeld,
  });
  switch (decision.type) {
    case 'none':
      return { parts: deletions, isScaling: false };
    case 'remove': {
      const chosen = podsToRemove(release, pods, decision);
      const parts = [...deletions, ...chosen.map((view) => deletePod(release, view, 'scale-down'))];
      return { parts, isScaling: true };
    }
    case 'create': {
      const most = batchLeft(snapshot.workload, createBatch, spec.replicas, active);
      return { parts: [...deletions, createPods(decision, { kept, target, most })], isScaling: true };
    }
  }
}

function createPods(
  decision: Extract<ScaleDecision, { readonly type: 'create' }>,
  { kept, target, most }: { readonly kept: KubeObject; readonly target: KubeObject; readonly most: number },
): DecisionPart {
  const old = Math.min(decision.old, most);
  const updated = Math.min(decision.updated, most - old);
  const create = (revision: KubeObject, count: number): readonly ReleaseAction[] =>
    count > 0 ? [{ type: 'create-pods', revision, count }] : [];
  return actionPart(...create(kept, old), ...create(target, updated));
}

function podsToRemove(
  { snapshot, target, spec }: Release,
  pods: readonly ReleasePod[],
  { count, old }: { readonly count: number; readonly old: number },
): readonly ReleasePod[] {
  const now = notBeforePods(pods, snapshot.now);
  const isServing = (view: ReleasePod): boolean => isInServiceFor(view, spec.minReadySeconds, now);
  return choosePodsToDelete({
    pods,
    targetRevision: nameOf(target),
    count,
    old,
    leastInService: spec.replicas - spec.maxUnavailable,
    isServing,
    // By how much the clock is behind is not known.
    mayServe: now > snapshot.now ? (view) => view.isInService : isServing,
    nodeCost: (name: string): number | undefined => {
      const node = snapshot.node(name);
      return node === undefined ? undefined : costOf(node, nodeCostAnnotation);
    },
    isDescending: annotationsOf(snapshot.workload)[costOrderAnnotation] === 'descend',
  });
}
