import type { PreDeleteHook } from '#releases/kinds/pod-hook.ts';
import { listAt, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { breakGlassOf } from './break-glass.ts';
import type { DecisionDraft } from './decision-draft.ts';
import type { PodHookAnswer, PodHooks } from './pod-hooks.ts';
import type { ReleasePod } from './pod-view.ts';
import {
  breakGlassAnnotation,
  deletingAnnotation,
  leavingAnnotation,
  preDeleteFinalizer,
} from './well-known.ts';

/** Why a pod was chosen to go. */
export type DeletionCause = 'scale-down' | 'rolling-update' | 'requested';

export type DeletePodDeps = {
  readonly hooks: PodHooks;
  readonly strategy: PreDeleteHook | undefined;
  readonly draft: DecisionDraft;
};

const events: Readonly<Record<DeletionCause, string>> = {
  'scale-down': 'Delete',
  requested: 'Delete',
  'rolling-update': 'UpdatePodReCreate',
};

/**
 * A pod goes when its hook consents (§2.9). Until then it is marked: the choice outlives this process (G9). A pod
 * that does not run has nothing to be asked about.
 */
export function leave({ hooks, strategy, draft }: DeletePodDeps, view: ReleasePod, why: DeletionCause): void {
  const isRunning = view.facts.phase === 'Running' || hooks.isAsked('pre-delete', view);
  const answer = hooks.ask('pre-delete', isRunning ? strategy : undefined, view);
  if (answer.isAllowed) {
    draft.action({ type: 'delete-pod', pod: view.pod, event: events[why] });
    return;
  }
  if (view.leaving === undefined) {
    const annotations = { [deletingAnnotation]: 'true', [leavingAnnotation]: why };
    draft.action({ type: 'patch-pod', pod: view.pod, patch: { metadata: { annotations } } });
  }
  draft.action(...answer.actions);
  draft.waits('pre-delete', answer);
  sayHeld(draft, view, answer);
}

/** Said of the pod itself, when its hook is asked: whoever deletes it looks there. */
function sayHeld(draft: DecisionDraft, { pod }: ReleasePod, { actions }: PodHookAnswer): void {
  const asked = actions.find((action) => action.type === 'create-run');
  if (asked === undefined) return;
  const message = `The pod is kept until HookRun ${nameOf(asked.run)} is Successful; the annotation ${breakGlassAnnotation} lets a deleted pod go without it`;
  draft.say({ type: 'Normal', reason: 'WaitingForPreDeleteHook', message, pod });
}

/** A pod that shall stay after all, because the template was set back. */
export function stay({ draft }: Pick<DeletePodDeps, 'draft'>, view: ReleasePod): void {
  const annotations = { [deletingAnnotation]: null, [leavingAnnotation]: null };
  draft.action({ type: 'patch-pod', pod: view.pod, patch: { metadata: { annotations } } });
}

/** A pod that is not to be updated after all, because others have taken its turn: nothing is asked about it. */
export function withdraw({ hooks, draft }: Pick<DeletePodDeps, 'hooks' | 'draft'>, view: ReleasePod): void {
  if (view.leaving === 'rolling-update') stay({ draft }, view);
  for (const point of ['pre-delete', 'pre-inplace'] as const) {
    const run = hooks.runFor(point, view);
    if (run !== undefined) draft.action({ type: 'delete-run', run });
  }
}

export const hasFinalizer = (pod: KubeObject): boolean =>
  listAt(pod, 'metadata', 'finalizers').includes(preDeleteFinalizer);

const withoutFinalizer: JsonObject = {
  metadata: { '$deleteFromPrimitiveList/finalizers': [preDeleteFinalizer] },
};

/** Whether the finalizer belongs on the pods of a workload. */
export const isEnforced = (strategy: PreDeleteHook | undefined): boolean =>
  strategy?.hook !== undefined && strategy.enforce === 'Always';

/** Pods that live have the finalizer exactly when the hook is enforced on every path. */
export function keepFinalizer({ strategy, draft }: DeletePodDeps, view: ReleasePod): void {
  const has = hasFinalizer(view.pod);
  if (isEnforced(strategy) === has) return;
  const patch = has ? withoutFinalizer : { metadata: { finalizers: [preDeleteFinalizer] } };
  draft.action({ type: 'patch-pod', pod: view.pod, patch });
}

/**
 * A pod that somebody deletes waits for the same hook, unless the glass was broken. `isUnasked`: the workload goes as
 * well, and no hook is asked about its pods.
 */
export function releaseFinalizer(deps: DeletePodDeps, view: ReleasePod, isUnasked: boolean): void {
  if (!hasFinalizer(view.pod)) return;
  const { hooks, strategy, draft } = deps;
  const glass = breakGlassOf(view.annotations);
  if (glass.type === 'broken') {
    draft.action({ type: 'break-glass', pod: view.pod, person: glass.person, why: glass.why });
    return;
  }
  if (glass.type === 'unreadable') draft.say(glassRefused(view.facts.name));
  const mustAsk = isEnforced(strategy) && !isUnasked && view.facts.phase !== 'Pending';
  const answer = hooks.ask('pre-delete', mustAsk ? strategy : undefined, view);
  if (answer.isAllowed) {
    draft.action({ type: 'patch-pod', pod: view.pod, patch: withoutFinalizer });
    return;
  }
  draft.action(...answer.actions);
  draft.waits('pre-delete', answer);
  sayHeld(draft, view, answer);
}

const glassRefused = (pod: string) =>
  ({
    type: 'Warning',
    reason: 'BreakGlassRefused',
    message: `The annotation ${breakGlassAnnotation} of pod ${pod} must name a person and a reason, as in "alice: node is on fire". The pod waits for its hook.`,
  }) as const;
