import { batchLeft } from '#releases/decide/create-batch.ts';
import { isEnforced } from '#releases/decide/leave.ts';
import { hasPause } from '#releases/decide/pause.ts';
import type { PodView } from '#releases/decide/pod-view.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { isFinished } from '#kube/workload/pod-facts.ts';
import { claimsFor, podNameOf } from '#kube/workload/stateful-identity.ts';
import { podFor } from './identity.ts';
import { waitFor, type Look, type Verdict } from './look.ts';
import type { Place } from './places.ts';

/** Sees to it that every place has its pod (§3.3). */
export function fillPlaces(look: Look, places: readonly Place[]): Verdict {
  const keptPlaces = placesKept(look, places);
  const revisionOf = ({ index }: Place): KubeObject => (index < keptPlaces ? look.kept : look.release.target);
  return look.isOrdered ? fillInOrder(look, places, revisionOf) : fillAtOnce(look, places, revisionOf);
}

type RevisionOf = (place: Place) => KubeObject;

/** The lowest ordinal first, and no pod before those below it are in service. */
function fillInOrder(look: Look, places: readonly Place[], revisionOf: RevisionOf): Verdict {
  let behind: PodView | undefined;
  for (const place of places) {
    const { view } = place;
    if (view === undefined) {
      if (behind !== undefined) return waitFor(look, waitsFor(look, place, behind));
      make(look, place, revisionOf(place));
      return 'wait';
    }
    if (settle(look, view) === 'wait') return 'wait';
    if (!view.isInService && !isToBeReplaced(look, place)) behind ??= view;
  }
  return 'go on';
}

function fillAtOnce(look: Look, places: readonly Place[], revisionOf: RevisionOf): Verdict {
  const { sight, spec, release } = look;
  const pods = places.flatMap(({ view }) => (view === undefined ? [] : [view]));
  let batch = batchLeft(sight.workload, spec.scaleStrategy?.createBatch, release.spec.replicas, pods);
  for (const place of places) {
    if (place.view !== undefined) settle(look, place.view);
    else if (!(place.isSurge && release.isHeld) && batch > 0) {
      if (make(look, place, revisionOf(place))) batch -= 1;
    }
  }
  return 'go on';
}

const waitsFor = ({ sight }: Look, { ordinal }: Place, behind: PodView): string =>
  `Pod ${podNameOf(sight.workload, ordinal)} is made once ${behind.facts.name} is in service.`;

/** Whether the place is due for another revision: then its pod, however sick, holds up nothing. */
const isToBeReplaced = ({ release, targetRevision }: Look, { index, view }: Place): boolean =>
  release.spec.type !== 'OnDelete' && index >= release.partition && view?.revision !== targetRevision;

/** What a pod in its place means for those that follow. */
function settle(look: Look, view: PodView): Verdict {
  const { isOrdered, release, targetRevision } = look;
  const { name, phase, isDeleting: isGoing } = view.facts;
  if (isGoing) return isOrdered ? waitFor(look, `Pod ${name} is on its way out.`) : 'go on';
  if (isFinished(view.facts)) {
    release.findings.say({
      type: phase === 'Failed' ? 'Warning' : 'Normal',
      reason: phase === 'Failed' ? 'RecreatingFailedPod' : 'RecreatingTerminatedPod',
      message: `Pod ${name} has ended (${phase}) and is made anew.`,
    });
    release.findings.act({ type: 'delete-pod', pod: view.pod, event: 'Delete' });
    return isOrdered ? 'wait' : 'go on';
  }
  // One of an older revision holds up nothing, or it could never be replaced.
  if (isOrdered && !view.isInService && view.revision === targetRevision)
    return waitFor(look, `Pod ${name} is not in service yet.`);
  return 'go on';
}

function make(look: Look, place: Place, revision: KubeObject): boolean {
  const { sight, spec, release } = look;
  const { workload } = sight;
  const claims = claimsFor(workload, place.ordinal).map((wanted) => ({
    wanted,
    found: sight.claim(nameOf(wanted)),
  }));
  const going = claims.find(({ found }) => found !== undefined && isDeleting(found));
  // A claim on its way out would take the new pod's data with it.
  if (going !== undefined) {
    waitFor(
      look,
      `Pod ${podNameOf(workload, place.ordinal)} is made once the old claim ${nameOf(going.wanted)} is gone.`,
    );
    return false;
  }
  const pod = podFor(workload, revision, place.ordinal, {
    hasGate: spec.disableReadinessGate !== true,
    hasFinalizer: isEnforced(release.spec.preDelete),
    isSurge: place.isSurge,
  });
  const missing = claims.filter(({ found }) => found === undefined).map(({ wanted }) => wanted);
  release.findings.act({ type: 'create-pod', pod, claims: missing });
  return true;
}

/**
 * How many of the lowest places get pods of the old revision: those below the partition; where pods come one after
 * another, also those whose turn has not come; and while a person holds everything up, all that are not updated.
 */
function placesKept({ release, isOrdered, kept, targetRevision }: Look, places: readonly Place[]): number {
  const { partition, spec, steps } = release;
  const having = (revision: string): number =>
    places.filter(({ view, isSurge }) => !isSurge && view?.isActive === true && view.revision === revision)
      .length;
  if (spec.type === 'OnDelete') return partition;
  if (hasPause(steps.pauses, 'PausedByUser'))
    return Math.max(partition, spec.replicas - having(targetRevision));
  return isOrdered && partition === 0 ? having(nameOf(kept)) : partition;
}
