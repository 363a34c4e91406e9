import type { PreDeleteHook } from '#releases/kinds/pod-hook.ts';
import { listAt, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { brokenGlass } from './break-glass.ts';
import type { Findings } from './findings.ts';
import type { PodHookAnswer, PodHooks } from './pod-hooks.ts';
import type { PodView } from './pod-view.ts';
import { breakGlassAnnotation, deletingAnnotation, leavingAnnotation, preDeleteFinalizer } from './words.ts';

/** Why a pod was chosen to go. */
export type Leaving = 'scale-down' | 'rolling-update' | 'requested';

export type LeaveDeps = {
  readonly hooks: PodHooks;
  readonly strategy: PreDeleteHook | undefined;
  readonly findings: Findings;
};

const events: Readonly<Record<Leaving, string>> = {
  'scale-down': 'Delete',
  requested: 'Delete',
  'rolling-update': 'UpdatePodReCreate',
};

/**
 * A pod goes when its hook consents (§2.9). Until then it is marked: the choice outlives this process (G9). A pod
 * that does not run has nothing to be asked about.
 */
export function leave({ hooks, strategy, findings }: LeaveDeps, view: PodView, why: Leaving): void {
  const isRunning = view.facts.phase === 'Running' || hooks.isAsked('pre-delete', view);
  const answer = hooks.ask('pre-delete', isRunning ? strategy : undefined, view);
  if (answer.isAllowed) {
    findings.act({ type: 'delete-pod', pod: view.pod, event: events[why] });
    return;
  }
  if (view.leaving === undefined) {
    const annotations = { [deletingAnnotation]: 'true', [leavingAnnotation]: why };
    findings.act({ type: 'patch-pod', pod: view.pod, patch: { metadata: { annotations } } });
  }
  findings.act(...answer.acts);
  findings.waits('pre-delete', answer);
  sayHeld(findings, view, answer);
}

/** Said of the pod itself, when its hook is asked: whoever deletes it looks there. */
function sayHeld(findings: Findings, { pod }: PodView, { acts }: PodHookAnswer): void {
  const asked = acts.find((act) => act.type === 'create-run');
  if (asked === undefined) return;
  const message = `The pod is kept until HookRun ${nameOf(asked.run)} is Successful; the annotation ${breakGlassAnnotation} lets a deleted pod go without it`;
  findings.say({ type: 'Normal', reason: 'WaitingForPreDeleteHook', message, pod });
}

/** A pod that shall stay after all, because the template was set back. */
export function stay({ findings }: Pick<LeaveDeps, 'findings'>, view: PodView): void {
  const annotations = { [deletingAnnotation]: null, [leavingAnnotation]: null };
  findings.act({ type: 'patch-pod', pod: view.pod, patch: { metadata: { annotations } } });
}

/** A pod that is not to be updated after all, because others have taken its turn: nothing is asked about it. */
export function withdraw({ hooks, findings }: Pick<LeaveDeps, 'hooks' | 'findings'>, view: PodView): void {
  if (view.leaving === 'rolling-update') stay({ findings }, view);
  for (const point of ['pre-delete', 'pre-inplace'] as const) {
    const run = hooks.runFor(point, view);
    if (run !== undefined) findings.act({ type: 'delete-run', run });
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
export function keepFinalizer({ strategy, findings }: LeaveDeps, view: PodView): void {
  const has = hasFinalizer(view.pod);
  if (isEnforced(strategy) === has) return;
  const patch = has ? withoutFinalizer : { metadata: { finalizers: [preDeleteFinalizer] } };
  findings.act({ type: 'patch-pod', pod: view.pod, patch });
}

/**
 * A pod that somebody deletes waits for the same hook, unless the glass was broken. `isUnasked`: the workload goes as
 * well, and no hook is asked about its pods.
 */
export function releaseFinalizer(deps: LeaveDeps, view: PodView, isUnasked: boolean): void {
  if (!hasFinalizer(view.pod)) return;
  const { hooks, strategy, findings } = deps;
  const glass = brokenGlass(view.annotations);
  if (glass.type === 'broken') {
    findings.act({ type: 'break-glass', pod: view.pod, person: glass.person, why: glass.why });
    return;
  }
  if (glass.type === 'unreadable') findings.say(glassRefused(view.facts.name));
  const mustAsk = isEnforced(strategy) && !isUnasked && view.facts.phase !== 'Pending';
  const answer = hooks.ask('pre-delete', mustAsk ? strategy : undefined, view);
  if (answer.isAllowed) {
    findings.act({ type: 'patch-pod', pod: view.pod, patch: withoutFinalizer });
    return;
  }
  findings.act(...answer.acts);
  findings.waits('pre-delete', answer);
  sayHeld(findings, view, answer);
}

const glassRefused = (pod: string) =>
  ({
    type: 'Warning',
    reason: 'BreakGlassRefused',
    message: `The annotation ${breakGlassAnnotation} of pod ${pod} must name a person and a reason, as in "alice: node is on fire". The pod waits for its hook.`,
  }) as const;
