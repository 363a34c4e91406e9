import { batchLeft } from '#releases/decide/create-batch.ts';
import { actionPart, type DecisionPart } from '#releases/decide/decision-draft.ts';
import { isEnforced } from '#releases/decide/finalizer.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { hasPause } from '#releases/decide/steps/pause.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { isFinished } from '#kube/workload/pod-facts.ts';
import { claimsFor, podNameOf } from '#kube/workload/stateful-identity.ts';
import { podFor } from './identity.ts';
import type { ReplicaSlot } from './replica-slots.ts';
import { noChanges, waitFor, type PodChanges, type StatefulRelease } from './stateful-release.ts';

/** Creates the pods of empty slots and replaces pods that have finished. */
export function fillSlots(set: StatefulRelease, slots: readonly ReplicaSlot[]): PodChanges {
  const count = keptSlots(set, slots);
  const revisionOf = ({ index }: ReplicaSlot): KubeObject => (index < count ? set.kept : set.release.target);
  return set.isOrdered ? fillInOrder(set, slots, revisionOf) : fillAtOnce(set, slots, revisionOf);
}

type RevisionOf = (slot: ReplicaSlot) => KubeObject;

/** The lowest ordinal first, and no pod before those below it are in service. */
function fillInOrder(
  set: StatefulRelease,
  slots: readonly ReplicaSlot[],
  revisionOf: RevisionOf,
): PodChanges {
  let behind: ReleasePod | undefined;
  for (const slot of slots) {
    const { view } = slot;
    if (view === undefined) {
      if (behind !== undefined) return waitFor(waitsFor(set, slot, behind));
      return { parts: [createPod(set, slot, revisionOf(slot)).part], isBlocked: true };
    }
    const changes = checkPod(set, view);
    if (changes.isBlocked) return changes;
    if (!view.isInService && !isToBeReplaced(set, slot)) behind ??= view;
  }
  return noChanges;
}

function fillAtOnce(set: StatefulRelease, slots: readonly ReplicaSlot[], revisionOf: RevisionOf): PodChanges {
  const { snapshot, spec, release } = set;
  const pods = slots.flatMap(({ view }) => (view === undefined ? [] : [view]));
  let batch = batchLeft(snapshot.workload, spec.scaleStrategy?.createBatch, release.spec.replicas, pods);
  const parts: DecisionPart[] = [];
  for (const slot of slots) {
    if (slot.view !== undefined) parts.push(...checkPod(set, slot.view).parts);
    else if (!(slot.isSurge && release.isHeld) && batch > 0) {
      const { part, isCreated } = createPod(set, slot, revisionOf(slot));
      parts.push(part);
      if (isCreated) batch -= 1;
    }
  }
  return { parts, isBlocked: false };
}

const waitsFor = ({ snapshot }: StatefulRelease, { ordinal }: ReplicaSlot, behind: ReleasePod): string =>
  `Pod ${podNameOf(snapshot.workload, ordinal)} is made once ${behind.facts.name} is in service.`;

/** Whether the slot is due for another revision: nothing waits for its pod, even if it is not in service. */
const isToBeReplaced = (
  { release, targetRevision }: StatefulRelease,
  { index, view }: ReplicaSlot,
): boolean =>
  release.spec.type !== 'OnDelete' && index >= release.partition && view?.revision !== targetRevision;

/** Whether the pods after this one can change. A pod that has finished is deleted, to be created again. */
function checkPod({ isOrdered, targetRevision }: StatefulRelease, view: ReleasePod): PodChanges {
  const { name, phase, isDeleting: isGoing } = view.facts;
  if (isGoing) return isOrdered ? waitFor(`Pod ${name} is on its way out.`) : noChanges;
  if (isFinished(view.facts)) {
    const isFailed = phase === 'Failed';
    const note = {
      type: isFailed ? 'Warning' : 'Normal',
      reason: isFailed ? 'RecreatingFailedPod' : 'RecreatingTerminatedPod',
      message: `Pod ${name} has ended (${phase}) and is made anew.`,
    } as const;
    const actions = [{ type: 'delete-pod', pod: view.pod, event: 'Delete' } as const];
    return { parts: [{ actions, notes: [note] }], isBlocked: isOrdered };
  }
  // Nothing waits for a pod of an older revision: otherwise it could never be replaced.
  if (isOrdered && !view.isInService && view.revision === targetRevision)
    return waitFor(`Pod ${name} is not in service yet.`);
  return noChanges;
}

function createPod(
  { snapshot, spec, release }: StatefulRelease,
  slot: ReplicaSlot,
  revision: KubeObject,
): { readonly part: DecisionPart; readonly isCreated: boolean } {
  const { workload } = snapshot;
  const claims = claimsFor(workload, slot.ordinal).map((wanted) => ({
    wanted,
    found: snapshot.claim(nameOf(wanted)),
  }));
  const going = claims.find(({ found }) => found !== undefined && isDeleting(found));
  // A claim that is being deleted would take the data of the new pod with it.
  if (going !== undefined) {
    const message = `Pod ${podNameOf(workload, slot.ordinal)} is made once the old claim ${nameOf(going.wanted)} is gone.`;
    return { part: { blockers: [{ reason: 'WaitingForPods', message }] }, isCreated: false };
  }
  const pod = podFor(workload, revision, slot.ordinal, {
    hasGate: spec.disableReadinessGate !== true,
    hasFinalizer: isEnforced(release.spec.preDelete),
    isSurge: slot.isSurge,
  });
  const missing = claims.filter(({ found }) => found === undefined).map(({ wanted }) => wanted);
  return { part: actionPart({ type: 'create-pod', pod, claims: missing }), isCreated: true };
}

/**
 * Number of slots, from the lowest, whose new pods get the old revision: those below the partition, and during the
 * pause of a user all that are not updated. In an ordered update also those whose turn has not come, as long as the
 * update is held or waits for an updated pod: an update that goes on would replace such a pod before it is in service,
 * again and again.
 */
function keptSlots(set: StatefulRelease, slots: readonly ReplicaSlot[]): number {
  const { release, isOrdered, targetRevision } = set;
  const { partition, spec, steps } = release;
  if (spec.type === 'OnDelete') return partition;
  const active = slots.flatMap(({ view, isSurge }) => (!isSurge && view?.isActive === true ? [view] : []));
  const updated = active.filter(({ revision }) => revision === targetRevision);
  if (hasPause(steps.pauses, 'PausedByUser')) return Math.max(partition, spec.replicas - updated.length);
  const isWaiting = release.isHeld || updated.some(({ isInService }) => !isInService);
  return isOrdered && isWaiting && partition === 0 ? active.length - updated.length : partition;
}
