import { numberAt, textAt, listAt } from '#base/json.ts';
import { keepBooks } from '#releases/decide/bookkeeping.ts';
import { keepFinalizer, leave, releaseFinalizer, stay } from '#releases/decide/leave.ts';
import type { PodView } from '#releases/decide/pod-view.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { claimsFor } from '#kube/workload/stateful-identity.ts';
import { identityPatch } from './identity.ts';
import type { Look } from './look.ts';
import type { Place } from './places.ts';
import { isDue } from './update-places.ts';
import { nodeLostAnnotation } from './words.ts';

/** Pods on their way out: their hook, and their node, which may be lost. */
export function seeOff({ sight, leaving, release }: Look, view: PodView): void {
  const { departure } = release;
  if (!view.facts.isDeleting) {
    if (departure.type === 'asked' && view.isActive) leave(leaving, view, 'scale-down');
    return;
  }
  releaseFinalizer(leaving, view, departure.type === 'unasked');
  if (isLost(view, sight.node(view.facts.node)))
    release.findings.act({ type: 'delete-pod', pod: view.pod, event: 'ForceDelete', isForced: true });
}

/** Only a pod that says so is taken from a node that does not answer: it may still be running there. */
function isLost({ pod, facts }: PodView, node: KubeObject | undefined): boolean {
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
export function keepPlace(look: Look, place: Place): void {
  const { sight, release, leaving } = look;
  const { view, ordinal } = place;
  if (view?.isActive !== true) return;
  const patch = identityPatch(sight.workload, view, ordinal, place.isSurge);
  if (patch !== undefined) release.findings.act({ type: 'patch-pod', pod: view.pod, patch });
  if (view.facts.phase === 'Pending') {
    const missing = claimsFor(sight.workload, ordinal).filter(
      (claim) => sight.claim(nameOf(claim)) === undefined,
    );
    look.claims.push(...missing);
  }
  if (!place.isSurge && view.leaving !== undefined && !isStillChosen(look, place)) stay(leaving, view);
}

/** A pod that was scaled away has its place back; one that was to be updated may no longer need to be. */
function isStillChosen(look: Look, place: Place): boolean {
  const { release } = look;
  return (
    place.view?.leaving === 'rolling-update' &&
    release.spec.type !== 'OnDelete' &&
    place.index >= release.partition &&
    isDue(look, place)
  );
}

/** Finalizers, gates and updates in place of all pods, paused or not (G2). Those that change now are left to that. */
export function keepAll({ release, leaving, sight }: Look): void {
  const { findings, hooks, spec, views } = release;
  const changing = new Set(
    findings.acts.flatMap((act) =>
      act.type === 'delete-pod' ||
      act.type === 'begin-in-place' ||
      (act.type === 'patch-pod' && act.event !== undefined)
        ? [act.pod]
        : [],
    ),
  );
  const deps = {
    hooks,
    findings,
    postHook: spec.postInplace,
    deadlineSeconds: spec.inPlaceDeadlineSeconds,
    now: sight.now,
  };
  for (const view of views) {
    if (!view.isActive || changing.has(view.pod)) continue;
    keepFinalizer(leaving, view);
    keepBooks(deps, view);
  }
}
