import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import {
  blockerPart,
  joinParts,
  type DecisionDraft,
  type DecisionPart,
} from '#releases/decide/decision-draft.ts';
import { finishDecision } from '#releases/decide/finish-decision.ts';
import { releasePodOf, type ReleasePod } from '#releases/decide/pod-view.ts';
import { isOrdered, statefulReleaseSpec } from '#releases/decide/release-spec.ts';
import { assessRelease, type Release } from '#releases/decide/release.ts';
import { keptRevision } from '#releases/decide/revision-view.ts';
import type { Decision } from '#releases/decide/snapshot.ts';
import { specProblem } from '#releases/decide/spec-problem.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { ordinalOf } from '#kube/workload/stateful-identity.ts';
import { deleteCondemned } from './delete-condemned.ts';
import { fillSlots } from './fill-slots.ts';
import { ordinalsFor } from './ordinals.ts';
import { finishDeletion, reconcileSlot, settleSlots } from './reconcile-slots.ts';
import { replicaSlotsOf, type PodsByOrdinal, type ReplicaSlots } from './replica-slots.ts';
import type { StatefulSnapshot } from './snapshot.ts';
import { instanceOf, type StatefulRelease } from './stateful-release.ts';
import { updateSlots } from './update-slots.ts';

/** Decides what to do for a GameStatefulSet: deletions, then slots, then updates, then the status. */
export function decideGameStatefulSet(snapshot: StatefulSnapshot, spec: GameStatefulSet['spec']): Decision {
  const pods = podsByOrdinal(snapshot);
  const set = assessStatefulRelease(snapshot, spec, pods);
  const slots = slotsFor(set, pods);
  const { release } = set;
  return finishDecision(release, draftOf(set, slots), {
    extraStatus: { currentReplicas: currentReplicas(release) },
    isScaling:
      slots.condemned.length > 0 || slots.wanted.some(({ view, isSurge }) => isSurge || view === undefined),
  });
}

function draftOf(set: StatefulRelease, slots: ReplicaSlots): DecisionDraft {
  const { snapshot, release } = set;
  const deletions = release.views.map((view) => finishDeletion(set, view));
  if (isDeleting(snapshot.workload)) return joinParts([release.stepPart, ...deletions]);
  const problem = specProblem(snapshot);
  const draft = joinParts([
    release.stepPart,
    ...deletions,
    blockerPart(problem),
    ...slots.wanted.map((slot) => reconcileSlot(set, slot)),
    ...(problem === undefined ? changePods(set, slots) : []),
  ]);
  return joinParts([draft, ...settleSlots(set, draft)]);
}

function changePods(set: StatefulRelease, slots: ReplicaSlots): readonly DecisionPart[] {
  const filled = fillSlots(set, slots.wanted);
  if (filled.isBlocked) return filled.parts;
  const deleted = deleteCondemned(set, slots);
  if (deleted.isBlocked) return [...filled.parts, ...deleted.parts];
  return [...filled.parts, ...deleted.parts, ...updateSlots(set, slots.wanted)];
}

function assessStatefulRelease(
  snapshot: StatefulSnapshot,
  spec: GameStatefulSet['spec'],
  pods: PodsByOrdinal,
): StatefulRelease {
  const releaseSpec = statefulReleaseSpec(spec);
  // Pods of the surge and condemned pods count neither for steps nor as replicas.
  const counted = new Set(
    ordinalsFor(releaseSpec.replicas, reservedOf(spec)).map((ordinal) => pods.get(ordinal)),
  );
  const isCounted = (view: ReleasePod): boolean => counted.has(view);
  const own = { ...snapshot, pods: [...pods.values()].map(({ pod }) => pod) };
  const release = assessRelease(own, releaseSpec, { instanceOf, isCounted });
  const { current, revisions, target } = release;
  return {
    snapshot,
    spec,
    release,
    isOrdered: isOrdered(spec),
    targetRevision: nameOf(target),
    kept: keptRevision(snapshot.workload, current, revisions, target),
  };
}

const reservedOf = ({ reserveOrders = [] }: GameStatefulSet['spec']): ReadonlySet<number> =>
  new Set(reserveOrders);

function podsByOrdinal({ workload, pods }: StatefulSnapshot): PodsByOrdinal {
  const seated = new Map<number, ReleasePod>();
  for (const pod of pods) {
    const ordinal = ordinalOf(workload, pod);
    if (ordinal !== undefined) seated.set(ordinal, releasePodOf(pod));
  }
  return seated;
}

function slotsFor({ release, spec, targetRevision }: StatefulRelease, pods: PodsByOrdinal): ReplicaSlots {
  return replicaSlotsOf({
    pods,
    replicas: release.spec.replicas,
    reserved: reservedOf(spec),
    maxSurge: release.spec.maxSurge,
    partition: release.partition,
    targetRevision,
  });
}

/** Number of pods of the current revision. */
function currentReplicas({ views, current, snapshot }: Release): number {
  const revision = nameOf(current ?? snapshot.updateRevision);
  return views.filter((view) => view.isActive && view.revision === revision).length;
}
