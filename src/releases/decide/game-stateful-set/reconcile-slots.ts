import { numberAt, textAt, listAt } from '#base/json.ts';
import { settleInPlaceUpdate } from '#releases/decide/settle-in-place-updates.ts';
import { keepFinalizer, leave, releaseFinalizer, stay } from '#releases/decide/delete-pod.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { claimsFor } from '#kube/workload/stateful-identity.ts';
import { identityPatch } from './identity.ts';
import type { StatefulRelease } from './stateful-release.ts';
import type { ReplicaSlot } from './replica-slots.ts';
import { isDue } from './update-slots.ts';
import { nodeLostAnnotation } from './well-known.ts';

/** Pods on their way out: their hook, and their node, which may be lost. */
export function seeOff({ snapshot, leaving, release }: StatefulRelease, view: ReleasePod): void {
  const { deletion } = release;
  if (!view.facts.isDeleting) {
    if (deletion.type === 'asked' && view.isActive) leave(leaving, view, 'scale-down');
    return;
  }
  releaseFinalizer(leaving, view, deletion.type === 'unasked');
  if (isLost(view, snapshot.node(view.facts.node)))
    release.draft.action({ type: 'delete-pod', pod: view.pod, event: 'ForceDelete', isForced: true });
}

/** Only a pod that says so is taken from a node that does not answer: it may still be running there. */
function isLost({ pod, facts }: ReleasePod, node: KubeObject | undefined): boolean {
  const isAllowed = textAt(pod, 'metadata', 'annotations', nodeLostAnnotation) === 'true';
  if (!isAllowed || facts.node === '') return false;
  const isForced = numberAt(pod, 'metadata', 'deletionGracePeriodSeconds') === 0;
  return !isForced && !isReady(node);
}

const isReady = (node: KubeObject | undefined): boolean =>
  listAt(node, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );

/** Pods that stay in their place have its labels and claims, and no mark that says they go. */
export function reconcileSlot(set: StatefulRelease, slot: ReplicaSlot): void {
  const { snapshot, release, leaving } = set;
  const { view, ordinal } = slot;
  if (view?.isActive !== true) return;
  const patch = identityPatch(snapshot.workload, view, ordinal, slot.isSurge);
  if (patch !== undefined) release.draft.action({ type: 'patch-pod', pod: view.pod, patch });
  if (view.facts.phase === 'Pending') {
    const missing = claimsFor(snapshot.workload, ordinal).filter(
      (claim) => snapshot.claim(nameOf(claim)) === undefined,
    );
    set.claims.push(...missing);
  }
  if (!slot.isSurge && view.leaving !== undefined && !isStillChosen(set, slot)) stay(leaving, view);
}

/** A pod that was scaled away has its place back; one that was to be updated may no longer need to be. */
function isStillChosen(set: StatefulRelease, slot: ReplicaSlot): boolean {
  const { release } = set;
  return (
    slot.view?.leaving === 'rolling-update' &&
    release.spec.type !== 'OnDelete' &&
    slot.index >= release.partition &&
    isDue(set, slot)
  );
}

/** Finalizers, gates and updates in place of all pods, paused or not (G2). Those that change now are left to that. */
export function keepAll({ release, leaving, snapshot }: StatefulRelease): void {
  const { draft, hooks, spec, views } = release;
  const changing = new Set(
    draft.actions.flatMap((action) =>
      action.type === 'delete-pod' ||
      action.type === 'begin-in-place' ||
      (action.type === 'patch-pod' && action.event !== undefined)
        ? [action.pod]
        : [],
    ),
  );
  const deps = {
    hooks,
    draft,
    postHook: spec.postInplace,
    deadlineSeconds: spec.inPlaceDeadlineSeconds,
    now: snapshot.now,
  };
  for (const view of views) {
    if (!view.isActive || changing.has(view.pod)) continue;
    keepFinalizer(leaving, view);
    settleInPlaceUpdate(deps, view);
  }
}
