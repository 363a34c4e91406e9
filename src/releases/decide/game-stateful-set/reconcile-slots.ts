import { numberAt, textAt } from '#base/json.ts';
import { later, seconds } from '#base/time.ts';
import {
  actionPart,
  noPart,
  type DecisionDraft,
  type DecisionPart,
} from '#releases/decide/decision-draft.ts';
import {
  cancelDeletion,
  deletePod,
  releaseDeletedPod,
  syncFinalizer,
  withdrawQuestions,
} from '#releases/decide/delete-pod.ts';
import { earlier } from '#releases/decide/pod-hooks.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { changedPods, settleInPlaceUpdate } from '#releases/decide/settle-in-place-updates.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { claimsFor } from '#kube/workload/stateful-identity.ts';
import { identityPatch } from './identity.ts';
import { isLostNode } from './lost-node.ts';
import type { ReplicaSlot } from './replica-slots.ts';
import type { StatefulRelease } from './stateful-release.ts';
import { isDue } from './update-slots.ts';
import { nodeLostAnnotation } from './well-known.ts';

/** How long until the node of a pod is looked at again: informers may be told nothing more about it. */
const nodeLookedAtAgain = seconds(10);

/** Pods that are being deleted: their hook, and their node, which may be lost. */
export function finishDeletion({ snapshot, release }: StatefulRelease, view: ReleasePod): DecisionPart {
  if (!view.facts.isDeleting)
    return release.deletion.type === 'asked' && view.isActive
      ? deletePod(release, view, 'scale-down')
      : noPart;
  const part = releaseDeletedPod(release, view);
  if (!isLost(view, snapshot.node(view.facts.node))) return part;
  const { pod } = view;
  const force = { type: 'delete-pod', pod, event: 'ForceDelete', isForced: true } as const;
  const wakeAt = earlier(part.wakeAt, later(snapshot.now, nodeLookedAtAgain));
  return { ...part, actions: [...(part.actions ?? []), force], wakeAt };
}

/** Only with the annotation, because the pod may still run on a node that does not respond. */
function isLost({ pod, facts }: ReleasePod, node: KubeObject | undefined): boolean {
  const isAllowed = textAt(pod, 'metadata', 'annotations', nodeLostAnnotation) === 'true';
  if (!isAllowed || facts.node === '') return false;
  const isForced = numberAt(pod, 'metadata', 'deletionGracePeriodSeconds') === 0;
  return !isForced && isLostNode(node);
}

/** Gives the pod of a slot its labels and claims, and takes back a deletion or update that is no longer due. */
export function reconcileSlot(set: StatefulRelease, slot: ReplicaSlot): DecisionPart {
  const { snapshot } = set;
  const { view, ordinal } = slot;
  if (view?.isActive !== true) return noPart;
  const patch = identityPatch(snapshot.workload, view, ordinal, slot.isSurge);
  const labels: readonly ReleaseAction[] =
    patch === undefined ? [] : [{ type: 'patch-pod', pod: view.pod, patch }];
  const kept = slot.isSurge ? [] : keepPod(set, slot, view);
  const actions = [...labels, ...createClaims(set, view, ordinal), ...kept];
  return actions.length === 0 ? noPart : actionPart(...actions);
}

/** Takes back the mark of a pod that was chosen, and, unless it is to be updated, what its hooks are asked. */
function keepPod(set: StatefulRelease, slot: ReplicaSlot, view: ReleasePod): readonly ReleaseAction[] {
  const { leaving, revision } = view;
  if (leaving === undefined && revision === set.targetRevision) return [];
  const isDueNow = isToBeUpdated(set, slot);
  const isKept = leaving !== undefined && !(isDueNow && leaving === 'rolling-update');
  const { actions: unmark = [] } = isKept ? cancelDeletion(view) : noPart;
  // Those of a pod that is up to date, and has no mark, are deleted with all stale ones.
  const isOver = !isDueNow && (isKept || revision !== set.targetRevision);
  return [...unmark, ...(isOver ? withdrawQuestions(set.release, view) : [])];
}

function createClaims(
  { snapshot }: StatefulRelease,
  view: ReleasePod,
  ordinal: number,
): readonly ReleaseAction[] {
  if (view.facts.phase !== 'Pending') return [];
  return claimsFor(snapshot.workload, ordinal)
    .filter((claim) => snapshot.claim(nameOf(claim)) === undefined)
    .map((claim) => ({ type: 'create-claim', claim }));
}

const isToBeUpdated = (set: StatefulRelease, slot: ReplicaSlot): boolean =>
  set.release.spec.type !== 'OnDelete' && slot.index >= set.release.partition && isDue(set, slot);

/** Finalizers, gates and in-place updates of all pods that do not change at this reconcile, paused or not. */
export function settleSlots({ release }: StatefulRelease, draft: DecisionDraft): readonly DecisionPart[] {
  const changing = changedPods(draft);
  return release.views
    .filter((view) => view.isActive && !changing.has(view.pod))
    .flatMap((view) => [syncFinalizer(release, view), settleInPlaceUpdate(release, draft, view)]);
}
