import { nameOf } from '#kube/object.ts';
import { breakGlassOf } from './break-glass.ts';
import { counted } from './counted.ts';
import { actionPart, noPart, waitForHook, type DecisionPart } from './decision-draft.ts';
import { addFinalizer, hasFinalizer, isEnforced, removeFinalizer } from './finalizer.ts';
import type { EventNote, ReleaseAction } from '#releases/model/action.ts';
import { breakGlassAnnotation, deletingAnnotation, leavingAnnotation } from '#releases/model/well-known.ts';
import type { PodHookAnswer } from './pod-hooks.ts';
import type { ReleasePod } from './pod-view.ts';
import type { Release } from './release.ts';

/** Why a pod was chosen for deletion. */
export type DeletionCause = 'scale-down' | 'rolling-update' | 'requested';

const events: Readonly<Record<DeletionCause, string>> = {
  'scale-down': 'Delete',
  requested: 'Delete',
  'rolling-update': 'UpdatePodReCreate',
};

/**
 * Deletes a pod when its hook passes. Until then an annotation records the choice, so that it outlives this process.
 * No hook runs for a pod that is not running.
 */
export function deletePod(release: Release, view: ReleasePod, cause: DeletionCause): DecisionPart {
  return counted(askAndDelete(release, view, cause));
}

function askAndDelete({ hooks, spec }: Release, view: ReleasePod, cause: DeletionCause): DecisionPart {
  const isRunning = view.facts.phase === 'Running' || hooks.isAsked('pre-delete', view);
  const answer = hooks.ask('pre-delete', isRunning ? spec.preDelete : undefined, view);
  if (answer.isAllowed) {
    const { notes } = answer;
    return { actions: [{ type: 'delete-pod', pod: view.pod, event: events[cause] }], notes };
  }
  if (view.leaving !== undefined) return waitForPreDelete(view, answer, []);
  const annotations = { [deletingAnnotation]: 'true', [leavingAnnotation]: cause };
  return waitForPreDelete(view, answer, [
    { type: 'patch-pod', pod: view.pod, patch: { metadata: { annotations } } },
  ]);
}

function waitForPreDelete(
  { pod }: ReleasePod,
  answer: Extract<PodHookAnswer, { readonly isAllowed: false }>,
  before: readonly ReleaseAction[],
): DecisionPart {
  const part = waitForHook('pre-delete', answer);
  const created = answer.actions.find((action) => action.type === 'create-run');
  const notes: readonly EventNote[] =
    created === undefined
      ? []
      : [
          {
            type: 'Normal',
            reason: 'WaitingForPreDeleteHook',
            message: `The pod is kept until HookRun ${nameOf(created.run)} is Successful; the annotation ${breakGlassAnnotation} lets a deleted pod go without it`,
            pod,
          },
        ];
  return { ...part, actions: [...before, ...part.actions], notes };
}

/** Removes the marks of a pod that is not deleted after all, because the template was set back. */
export function cancelDeletion({ pod }: ReleasePod): DecisionPart {
  const annotations = { [deletingAnnotation]: null, [leavingAnnotation]: null };
  return actionPart({ type: 'patch-pod', pod, patch: { metadata: { annotations } } });
}

/** Cancels the update of a pod because other pods were chosen in its place. Its HookRuns are deleted. */
export function cancelUpdate(release: Release, view: ReleasePod): DecisionPart {
  const { actions: unmark = [] } = view.leaving === 'rolling-update' ? cancelDeletion(view) : noPart;
  return actionPart(...unmark, ...withdrawQuestions(release, view));
}

/** Deletes the HookRuns of a pod that is kept: their verdict is no consent to what may be decided about it later. */
export const withdrawQuestions = ({ hooks }: Release, view: ReleasePod): readonly ReleaseAction[] =>
  (['pre-delete', 'pre-inplace'] as const).flatMap((point) => {
    const run = hooks.runFor(point, view);
    return run === undefined ? [] : [{ type: 'delete-run', run }];
  });

/** Active pods have the finalizer exactly when the hook is enforced for every deletion. */
export function syncFinalizer({ spec }: Release, { pod }: ReleasePod): DecisionPart {
  const has = hasFinalizer(pod);
  if (isEnforced(spec.preDelete) === has) return noPart;
  return actionPart({ type: 'patch-pod', pod, patch: has ? removeFinalizer : addFinalizer });
}

/**
 * Removes the finalizer of a pod that is being deleted when its hook passes, or when the break-glass annotation names
 * a person and a reason. No hook runs when the workload is deleted without hooks.
 */
export function releaseDeletedPod(release: Release, view: ReleasePod): DecisionPart {
  if (!hasFinalizer(view.pod)) return noPart;
  const { hooks, spec, deletion } = release;
  const glass = breakGlassOf(view.annotations);
  if (glass.type === 'broken')
    return actionPart({ type: 'break-glass', pod: view.pod, person: glass.person, why: glass.why });
  const refused = glass.type === 'unreadable' ? [glassRefused(view.facts.name)] : [];
  const mustAsk = isEnforced(spec.preDelete) && deletion.type !== 'unasked' && view.facts.phase !== 'Pending';
  const answer = hooks.ask('pre-delete', mustAsk ? spec.preDelete : undefined, view);
  const part = answer.isAllowed
    ? { ...actionPart({ type: 'patch-pod', pod: view.pod, patch: removeFinalizer }), notes: answer.notes }
    : waitForPreDelete(view, answer, []);
  return { ...part, notes: [...refused, ...(part.notes ?? [])] };
}

const glassRefused = (pod: string): EventNote => ({
  type: 'Warning',
  reason: 'BreakGlassRefused',
  message: `The annotation ${breakGlassAnnotation} of pod ${pod} must name a user and a reason, as in "alice: node is on fire". The pod waits for its hook.`,
});
