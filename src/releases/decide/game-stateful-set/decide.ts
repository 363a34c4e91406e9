import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import { closeRelease } from '#releases/decide/close-release.ts';
import { specTrouble } from '#releases/decide/spec-trouble.ts';
import { viewOf, type PodView } from '#releases/decide/pod-view.ts';
import { releaseSpecOf, type ReleaseSpec } from '#releases/decide/release-spec.ts';
import { openRelease, type Release } from '#releases/decide/release.ts';
import { keptRevision } from '#releases/decide/revision-view.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { ordinalOf } from '#kube/workload/stateful-identity.ts';
import { dropCondemned } from './drop-condemned.ts';
import { fillPlaces } from './fill-places.ts';
import { keepAll, keepPlace, seeOff } from './look-after.ts';
import { instanceOf, type Look } from './look.ts';
import { ordinalsFor } from './ordinals.ts';
import { placesOf, type Places, type Seated } from './places.ts';
import type { StatefulDecision, StatefulSight } from './sight.ts';
import { updatePlaces } from './update-places.ts';

/** Everything that follows from one look at a GameStatefulSet. */
export function decideGameStatefulSet(sight: StatefulSight, spec: GameStatefulSet['spec']): StatefulDecision {
  const pods = seatedPods(sight);
  const look = openLook(sight, spec, pods);
  const places = placesFor(look, pods);
  work(look, places);
  const { release } = look;
  const decision = closeRelease(release, {
    extraStatus: { currentReplicas: currentReplicas(release) },
    isScaling:
      places.condemned.length > 0 || places.wanted.some(({ view, isSurge }) => isSurge || view === undefined),
  });
  return { ...decision, claims: look.claims };
}

function work(look: Look, places: Places): void {
  const { sight, release } = look;
  for (const view of release.views) seeOff(look, view);
  if (isDeleting(sight.workload)) return;
  const trouble = specTrouble(sight);
  release.findings.hold(trouble);
  for (const place of places.wanted) keepPlace(look, place);
  if (trouble === undefined) movePods(look, places);
  keepAll(look);
}

function movePods(look: Look, places: Places): void {
  if (fillPlaces(look, places.wanted) === 'wait') return;
  if (dropCondemned(look, places) === 'wait') return;
  updatePlaces(look, places.wanted);
}

function openLook(sight: StatefulSight, spec: GameStatefulSet['spec'], pods: Seated): Look {
  const isOrdered = spec.podManagementPolicy !== 'Parallel';
  const releaseSpec = specOf(spec, isOrdered);
  // Pods of the surge, and those that are scaled away, are none of the steps' business (S5).
  const counted = new Set(
    ordinalsFor(releaseSpec.replicas, reservedOf(spec)).map((ordinal) => pods.get(ordinal)),
  );
  const isCounted = (view: PodView): boolean => counted.has(view);
  const own = { ...sight, pods: [...pods.values()].map(({ pod }) => pod) };
  const release = openRelease(own, releaseSpec, { instanceOf, isCounted });
  const { hooks, findings, oldest, revisions, target } = release;
  return {
    sight,
    spec,
    release,
    leaving: { hooks, findings, strategy: releaseSpec.preDelete },
    isOrdered,
    targetRevision: nameOf(target),
    kept: keptRevision(sight.workload, oldest, revisions, target),
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

function seatedPods({ workload, pods }: StatefulSight): Seated {
  const seated = new Map<number, PodView>();
  for (const pod of pods) {
    const ordinal = ordinalOf(workload, pod);
    if (ordinal !== undefined) seated.set(ordinal, viewOf(pod));
  }
  return seated;
}

function placesFor({ release, spec, targetRevision }: Look, pods: Seated): Places {
  return placesOf({
    pods,
    replicas: release.spec.replicas,
    reserved: reservedOf(spec),
    maxSurge: release.spec.maxSurge,
    partition: release.partition,
    targetRevision,
  });
}

/** Pods of the oldest revision that a pod has. */
function currentReplicas({ views, oldest, sight }: Release): number {
  const revision = nameOf(oldest ?? sight.updateRevision);
  return views.filter((view) => view.isActive && view.revision === revision).length;
}
