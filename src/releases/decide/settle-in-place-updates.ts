import type { PodHook } from '#releases/kinds/pod-hook.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { DecisionDraft } from './decision-draft.ts';
import { hookAnswered, progressInPlace } from './in-place.ts';
import { inPlaceStateOf } from './in-place-state.ts';
import type { PodHooks } from './pod-hooks.ts';
import type { ReleasePod } from './pod-view.ts';
import { deletingAnnotation } from './well-known.ts';

export type InPlaceDeps = {
  readonly hooks: PodHooks;
  readonly draft: DecisionDraft;
  readonly postHook: PodHook | undefined;
  readonly deadlineSeconds: number;
  readonly now: Instant;
};

/**
 * Brings updates in place to their end and keeps the gates of all pods, whether or not the release is paused (G2).
 * Pods that are about to be updated are left to that.
 */
export function settleInPlaceUpdate(deps: InPlaceDeps, view: ReleasePod): void {
  const { draft, deadlineSeconds, now } = deps;
  const progress = progressInPlace(view, deadlineSeconds, now);
  switch (progress.type) {
    case 'idle':
      openGate(draft, view, 'Ready');
      forgetMark(deps, view);
      return;
    case 'done':
      openGate(draft, view, 'InPlaceUpdateCompleted');
      forgetMark(deps, view);
      afterwards(deps, view);
      return;
    case 'write':
      draft.action({ type: 'patch-pod', pod: view.pod, patch: progress.patch });
      return;
    case 'grace':
      draft.wake(progress.until);
      return;
    case 'replacing':
      draft.wake(progress.deadline);
      return;
    case 'stuck':
      draft.blocker({
        reason: 'InPlaceUpdateStuck',
        message: `Pod ${view.facts.name}: its containers (${progress.containers.join(', ')}) were not ${progress.lack} since ${formatTime(progress.since)}. StatefulRelease at the events of the pod; a new template or deleting the pod goes on.`,
      });
  }
}

function openGate(draft: DecisionDraft, view: ReleasePod, reason: string): void {
  if (view.gate === 'unset' || view.gate === 'shut')
    draft.action({ type: 'set-gate', pod: view.pod, isOpen: true, reason });
}

/** A pod that nothing is asked about any more, because the template was set back, is not marked either (G11). */
function forgetMark({ hooks, draft }: InPlaceDeps, view: ReleasePod): void {
  if (view.leaving !== undefined || view.annotations[deletingAnnotation] !== 'true') return;
  const isAsked = befores.some(
    (point) => hooks.isAsked(point, view) || draft.isWaiting(point, view.facts.name),
  );
  if (isAsked) return;
  const patch = { metadata: { annotations: { [deletingAnnotation]: null } } };
  draft.action({ type: 'patch-pod', pod: view.pod, patch });
}

const befores = ['pre-delete', 'pre-inplace'] as const;

/** The hook that follows an update in place: once the new containers run (G16). It holds nothing up. */
function afterwards({ hooks, draft, postHook }: InPlaceDeps, view: ReleasePod): void {
  if (inPlaceStateOf(view.pod)?.isHookDue !== true) return;
  const answer = hooks.ask('post-inplace', postHook, view);
  if (answer.isAllowed) {
    draft.action({ type: 'patch-pod', pod: view.pod, patch: hookAnswered(view) });
    return;
  }
  draft.action(...answer.actions);
  if (answer.entry !== undefined) draft.entries['post-inplace'].push(answer.entry);
  draft.wake(answer.wakeAt);
}
