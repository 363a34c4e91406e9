import { formatTime } from '#base/time.ts';
import { actionPart, isWaiting, noPart, type DecisionDraft, type DecisionPart } from './decision-draft.ts';
import { hookAnswered, progressInPlace } from './in-place.ts';
import { inPlaceStateOf } from './in-place-state.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { deletingAnnotation } from '#releases/model/well-known.ts';
import type { ReleasePod } from './pod-view.ts';
import type { Release } from './release.ts';

/**
 * Completes the in-place update of a pod and sets its readiness gate, whether or not the release is paused. Not for
 * pods whose update starts at this reconcile. `draft` is the decision so far.
 */
export function settleInPlaceUpdate(release: Release, draft: DecisionDraft, view: ReleasePod): DecisionPart {
  const { spec, snapshot } = release;
  const progress = progressInPlace(view, spec.inPlaceDeadlineSeconds, snapshot.now);
  switch (progress.type) {
    case 'idle':
      return partOf([...openGate(view, 'Ready'), ...removeMark(release, draft, view)]);
    case 'done': {
      const actions = [...openGate(view, 'InPlaceUpdateCompleted'), ...removeMark(release, draft, view)];
      const after = runPostHook(release, view);
      return { ...after, actions: [...actions, ...(after.actions ?? [])] };
    }
    case 'write':
      return actionPart({ type: 'patch-pod', pod: view.pod, patch: progress.patch });
    case 'grace':
      return { wakeAt: progress.until };
    case 'replacing':
      return { wakeAt: progress.deadline };
    case 'stuck': {
      const message = `Pod ${view.facts.name}: its containers (${progress.containers.join(', ')}) were not ${progress.lack} since ${formatTime(progress.since)}. Look at the events of the pod; a new template or deleting the pod goes on.`;
      return { blockers: [{ reason: 'InPlaceUpdateStuck', message }] };
    }
  }
}

/**
 * Pods that the decision deletes or begins to update. One that is deleted does not come back into service before: others
 * may have been chosen to serve in its place.
 */
export const changedPods = ({ actions }: Pick<DecisionDraft, 'actions'>): ReadonlySet<KubeObject> =>
  new Set(
    actions.flatMap((action) =>
      action.type === 'delete-pod' ||
      action.type === 'begin-in-place' ||
      (action.type === 'patch-pod' && action.event !== undefined)
        ? [action.pod]
        : [],
    ),
  );

/** Most pods need nothing, and there can be thousands of them. */
const partOf = (actions: readonly ReleaseAction[]): DecisionPart =>
  actions.length === 0 ? noPart : { actions };

const openGate = ({ gate, pod }: ReleasePod, reason: string): readonly ReleaseAction[] =>
  gate === 'unset' || gate === 'shut' ? [{ type: 'set-gate', pod, isOpen: true, reason }] : [];

/** Removes the mark of a pod for which no hook runs any more, because the template was set back. */
function removeMark({ hooks }: Release, draft: DecisionDraft, view: ReleasePod): readonly ReleaseAction[] {
  if (view.leaving !== undefined || view.annotations[deletingAnnotation] !== 'true') return [];
  const hasHook = (['pre-delete', 'pre-inplace'] as const).some(
    (point) => hooks.isAsked(point, view) || isWaiting(draft, point, view.facts.name),
  );
  if (hasHook) return [];
  const patch = { metadata: { annotations: { [deletingAnnotation]: null } } };
  return [{ type: 'patch-pod', pod: view.pod, patch }];
}

/** Runs the hook that follows an in-place update once the new containers run. The release does not wait for it. */
function runPostHook({ hooks, spec }: Release, view: ReleasePod): DecisionPart {
  if (inPlaceStateOf(view.pod)?.isHookDue !== true) return noPart;
  const answer = hooks.ask('post-inplace', spec.postInplace, view);
  if (answer.isAllowed) {
    const { notes } = answer;
    return { actions: [{ type: 'patch-pod', pod: view.pod, patch: hookAnswered(view) }], notes };
  }
  const { actions, entry, wakeAt } = answer;
  return { actions, waiting: [{ point: 'post-inplace', entry }], wakeAt };
}
