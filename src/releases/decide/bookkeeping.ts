import type { PodHook } from '#releases/kinds/pod-hook.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { Findings } from './findings.ts';
import { hookAnswered, progressInPlace } from './in-place.ts';
import { inPlaceStateOf } from './in-place-state.ts';
import type { PodHooks } from './pod-hooks.ts';
import type { PodView } from './pod-view.ts';
import { deletingAnnotation } from './words.ts';

export type BookkeepingDeps = {
  readonly hooks: PodHooks;
  readonly findings: Findings;
  readonly postHook: PodHook | undefined;
  readonly deadlineSeconds: number;
  readonly now: Instant;
};

/**
 * Brings updates in place to their end and keeps the gates of all pods, whether or not the release is paused (G2).
 * Pods that are about to be updated are left to that.
 */
export function keepBooks(deps: BookkeepingDeps, view: PodView): void {
  const { findings, deadlineSeconds, now } = deps;
  const progress = progressInPlace(view, deadlineSeconds, now);
  switch (progress.type) {
    case 'idle':
      openGate(findings, view, 'Ready');
      forgetMark(deps, view);
      return;
    case 'done':
      openGate(findings, view, 'InPlaceUpdateCompleted');
      forgetMark(deps, view);
      afterwards(deps, view);
      return;
    case 'write':
      findings.act({ type: 'patch-pod', pod: view.pod, patch: progress.patch });
      return;
    case 'grace':
      findings.wake(progress.until);
      return;
    case 'replacing':
      findings.wake(progress.deadline);
      return;
    case 'stuck':
      findings.hold({
        reason: 'InPlaceUpdateStuck',
        message: `Pod ${view.facts.name}: its containers (${progress.containers.join(', ')}) were not ${progress.lack} since ${formatTime(progress.since)}. Look at the events of the pod; a new template or deleting the pod goes on.`,
      });
  }
}

function openGate(findings: Findings, view: PodView, reason: string): void {
  if (view.gate === 'unset' || view.gate === 'shut')
    findings.act({ type: 'set-gate', pod: view.pod, isOpen: true, reason });
}

/** A pod that nothing is asked about any more, because the template was set back, is not marked either (G11). */
function forgetMark({ hooks, findings }: BookkeepingDeps, view: PodView): void {
  if (view.leaving !== undefined || view.annotations[deletingAnnotation] !== 'true') return;
  const isAsked = befores.some(
    (point) => hooks.isAsked(point, view) || findings.isWaiting(point, view.facts.name),
  );
  if (isAsked) return;
  const patch = { metadata: { annotations: { [deletingAnnotation]: null } } };
  findings.act({ type: 'patch-pod', pod: view.pod, patch });
}

const befores = ['pre-delete', 'pre-inplace'] as const;

/** The hook that follows an update in place: once the new containers run (G16). It holds nothing up. */
function afterwards({ hooks, findings, postHook }: BookkeepingDeps, view: PodView): void {
  if (inPlaceStateOf(view.pod)?.isHookDue !== true) return;
  const answer = hooks.ask('post-inplace', postHook, view);
  if (answer.isAllowed) {
    findings.act({ type: 'patch-pod', pod: view.pod, patch: hookAnswered(view) });
    return;
  }
  findings.act(...answer.acts);
  if (answer.entry !== undefined) findings.entries['post-inplace'].push(answer.entry);
  findings.wake(answer.wakeAt);
}
