import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import { finishDecision } from '#releases/decide/finish-decision.ts';
import { specProblem } from '#releases/decide/spec-problem.ts';
import { releasePodOf, type ReleasePod } from '#releases/decide/pod-view.ts';
import { releaseSpecOf, type ReleaseSpec } from '#releases/decide/release-spec.ts';
import { assessRelease, type Release } from '#releases/decide/release.ts';
import { keptRevision } from '#releases/decide/revision-view.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { ordinalOf } from '#kube/workload/stateful-identity.ts';
import { deleteCondemned } from './delete-condemned.ts';
import { fillSlots } from './fill-slots.ts';
import { keepAll, reconcileSlot, seeOff } from './reconcile-slots.ts';
import { instanceOf, type StatefulRelease } from './stateful-release.ts';
import { ordinalsFor } from './ordinals.ts';
import { replicaSlotsOf, type ReplicaSlots, type PodsByOrdinal } from './replica-slots.ts';
import type { GameStatefulSetDecision, StatefulSnapshot } from './snapshot.ts';
import { updateSlots } from './update-slots.ts';

/** Everything that follows from one look at a GameStatefulSet. */
export function decideGameStatefulSet(
  snapshot: StatefulSnapshot,
  spec: GameStatefulSet['spec'],
): GameStatefulSetDecision {
  const pods = podsByOrdinal(snapshot);
  const set = assessStatefulRelease(snapshot, spec, pods);
  const slots = slotsFor(set, pods);
  work(set, slots);
  const { release } = set;
  const decision = finishDecision(release, {
    extraStatus: { currentReplicas: currentReplicas(release) },
    isScaling:
      slots.condemned.length > 0 || slots.wanted.some(({ view, isSurge }) => isSurge || view === undefined),
  });
  return { ...decision, claims: set.claims };
}

function work(set: StatefulRelease, slots: ReplicaSlots): void {
  const { snapshot, release } = set;
  for (const view of release.views) seeOff(set, view);
  if (isDeleting(snapshot.workload)) return;
  const trouble = specProblem(snapshot);
  release.draft.blocker(trouble);
  for (const slot of slots.wanted) reconcileSlot(set, slot);
  if (trouble === undefined) movePods(set, slots);
  keepAll(set);
}

function movePods(set: StatefulRelease, slots: ReplicaSlots): void {
  if (fillSlots(set, slots.wanted) === 'wait') return;
  if (deleteCondemned(set, slots) === 'wait') return;
  updateSlots(set, slots.wanted);
}

function assessStatefulRelease(
  snapshot: StatefulSnapshot,
  spec: GameStatefulSet['spec'],
  pods: PodsByOrdinal,
): StatefulRelease {
  const isOrdered = spec.podManagementPolicy !== 'Parallel';
  const releaseSpec = specOf(spec, isOrdered);
  // Pods of the surge, and those that are scaled away, are none of the steps' business (S5).
  const counted = new Set(
    ordinalsFor(releaseSpec.replicas, reservedOf(spec)).map((ordinal) => pods.get(ordinal)),
  );
  const isCounted = (view: ReleasePod): boolean => counted.has(view);
  const own = { ...snapshot, pods: [...pods.values()].map(({ pod }) => pod) };
  const release = assessRelease(own, releaseSpec, { instanceOf, isCounted });
  const { hooks, draft, oldest, revisions, target } = release;
  return {
    snapshot,
    spec,
    release,
    leaving: { hooks, draft, strategy: releaseSpec.preDelete },
    isOrdered,
    targetRevision: nameOf(target),
    kept: keptRevision(snapshot.workload, oldest, revisions, target),
    claims: [],
  };
}

/** Surge is for pods that may come together. */
function specOf(spec: GameStatefulSet['spec'], isOrdered: boolean): ReleaseSpec {
  const { type, rollingUpdate = {} } = spec.updateStrategy ?? {};
  const { partition, maxUnavailable, maxSurge } = rollingUpdate;
  const maySurge = !isOrdered && type !== 'OnDelete';
  return releaseSpecOf(spec, { partition, maxUnavailable, maxSurge: maySurge ? maxSurge : 0 });
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

/** Pods of the oldest revision that a pod has. */
function currentReplicas({ views, oldest, snapshot }: Release): number {
  const revision = nameOf(oldest ?? snapshot.updateRevision);
  return views.filter((view) => view.isActive && view.revision === revision).length;
}
