import { batchLeft } from '#releases/decide/create-batch.ts';
import { isEnforced } from '#releases/decide/delete-pod.ts';
import { hasPause } from '#releases/decide/pause.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { isFinished } from '#kube/workload/pod-facts.ts';
import { claimsFor, podNameOf } from '#kube/workload/stateful-identity.ts';
import { podFor } from './identity.ts';
import { waitFor, type StatefulRelease, type Verdict } from './stateful-release.ts';
import type { ReplicaSlot } from './replica-slots.ts';

/** Sees to it that every place has its pod (§3.3). */
export function fillSlots(set: StatefulRelease, slots: readonly ReplicaSlot[]): Verdict {
  const keptPlaces = keptSlots(set, slots);
  const revisionOf = ({ index }: ReplicaSlot): KubeObject =>
    index < keptPlaces ? set.kept : set.release.target;
  return set.isOrdered ? fillInOrder(set, slots, revisionOf) : fillAtOnce(set, slots, revisionOf);
}

type RevisionOf = (slot: ReplicaSlot) => KubeObject;

/** The lowest ordinal first, and no pod before those below it are in service. */
function fillInOrder(set: StatefulRelease, slots: readonly ReplicaSlot[], revisionOf: RevisionOf): Verdict {
  let behind: ReleasePod | undefined;
  for (const slot of slots) {
    const { view } = slot;
    if (view === undefined) {
      if (behind !== undefined) return waitFor(set, waitsFor(set, slot, behind));
      make(set, slot, revisionOf(slot));
      return 'wait';
    }
    if (settle(set, view) === 'wait') return 'wait';
    if (!view.isInService && !isToBeReplaced(set, slot)) behind ??= view;
  }
  return 'go on';
}

function fillAtOnce(set: StatefulRelease, slots: readonly ReplicaSlot[], revisionOf: RevisionOf): Verdict {
  const { snapshot, spec, release } = set;
  const pods = slots.flatMap(({ view }) => (view === undefined ? [] : [view]));
  let batch = batchLeft(snapshot.workload, spec.scaleStrategy?.createBatch, release.spec.replicas, pods);
  for (const slot of slots) {
    if (slot.view !== undefined) settle(set, slot.view);
    else if (!(slot.isSurge && release.isHeld) && batch > 0) {
      if (make(set, slot, revisionOf(slot))) batch -= 1;
    }
  }
  return 'go on';
}

const waitsFor = ({ snapshot }: StatefulRelease, { ordinal }: ReplicaSlot, behind: ReleasePod): string =>
  `Pod ${podNameOf(snapshot.workload, ordinal)} is made once ${behind.facts.name} is in service.`;

/** Whether the place is due for another revision: then its pod, however sick, holds up nothing. */
const isToBeReplaced = (
  { release, targetRevision }: StatefulRelease,
  { index, view }: ReplicaSlot,
): boolean =>
  release.spec.type !== 'OnDelete' && index >= release.partition && view?.revision !== targetRevision;

/** What a pod in its place means for those that follow. */
function settle(set: StatefulRelease, view: ReleasePod): Verdict {
  const { isOrdered, release, targetRevision } = set;
  const { name, phase, isDeleting: isGoing } = view.facts;
  if (isGoing) return isOrdered ? waitFor(set, `Pod ${name} is on its way out.`) : 'go on';
  if (isFinished(view.facts)) {
    release.draft.say({
      type: phase === 'Failed' ? 'Warning' : 'Normal',
      reason: phase === 'Failed' ? 'RecreatingFailedPod' : 'RecreatingTerminatedPod',
      message: `Pod ${name} has ended (${phase}) and is made anew.`,
    });
    release.draft.action({ type: 'delete-pod', pod: view.pod, event: 'Delete' });
    return isOrdered ? 'wait' : 'go on';
  }
  // One of an older revision holds up nothing, or it could never be replaced.
  if (isOrdered && !view.isInService && view.revision === targetRevision)
    return waitFor(set, `Pod ${name} is not in service yet.`);
  return 'go on';
}

function make(set: StatefulRelease, slot: ReplicaSlot, revision: KubeObject): boolean {
  const { snapshot, spec, release } = set;
  const { workload } = snapshot;
  const claims = claimsFor(workload, slot.ordinal).map((wanted) => ({
    wanted,
    found: snapshot.claim(nameOf(wanted)),
  }));
  const going = claims.find(({ found }) => found !== undefined && isDeleting(found));
  // A claim on its way out would take the new pod's data with it.
  if (going !== undefined) {
    waitFor(
      set,
      `Pod ${podNameOf(workload, slot.ordinal)} is made once the old claim ${nameOf(going.wanted)} is gone.`,
    );
    return false;
  }
  const pod = podFor(workload, revision, slot.ordinal, {
    hasGate: spec.disableReadinessGate !== true,
    hasFinalizer: isEnforced(release.spec.preDelete),
    isSurge: slot.isSurge,
  });
  const missing = claims.filter(({ found }) => found === undefined).map(({ wanted }) => wanted);
  release.draft.action({ type: 'create-pod', pod, claims: missing });
  return true;
}

/**
 * How many of the lowest places get pods of the old revision: those below the partition; where pods come one after
 * another, also those whose turn has not come; and while a person holds everything up, all that are not updated.
 */
function keptSlots(
  { release, isOrdered, kept, targetRevision }: StatefulRelease,
  slots: readonly ReplicaSlot[],
): number {
  const { partition, spec, steps } = release;
  const having = (revision: string): number =>
    slots.filter(({ view, isSurge }) => !isSurge && view?.isActive === true && view.revision === revision)
      .length;
  if (spec.type === 'OnDelete') return partition;
  if (hasPause(steps.pauses, 'PausedByUser'))
    return Math.max(partition, spec.replicas - having(targetRevision));
  return isOrdered && partition === 0 ? having(nameOf(kept)) : partition;
}
