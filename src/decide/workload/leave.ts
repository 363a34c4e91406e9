import type { PreDeleteHook } from '#api/game/pod-hook.ts';
import { listAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Findings } from './findings.ts';
import type { PodHooks } from './pod-hooks.ts';
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

/** A pod that somebody deletes waits for the same hook, unless the glass was broken. */
export function releaseFinalizer(deps: LeaveDeps, view: PodView, isWorkloadGoing: boolean): void {
  if (!hasFinalizer(view.pod)) return;
  const { hooks, strategy, findings } = deps;
  const glass = view.annotations[breakGlassAnnotation];
  const broken = glass === undefined ? undefined : /^\s*([^:]*\S)\s*:\s*(\S.*)$/s.exec(glass);
  if (broken?.[1] !== undefined && broken[2] !== undefined) {
    findings.act({ type: 'break-glass', pod: view.pod, person: broken[1], why: broken[2].trim() });
    return;
  }
  if (glass !== undefined) findings.say(glassRefused(view.facts.name));
  const mustAsk = isEnforced(strategy) && !isWorkloadGoing && view.facts.phase !== 'Pending';
  const answer = hooks.ask('pre-delete', mustAsk ? strategy : undefined, view);
  if (answer.isAllowed) {
    findings.act({ type: 'patch-pod', pod: view.pod, patch: withoutFinalizer });
    return;
  }
  findings.act(...answer.acts);
  findings.waits('pre-delete', answer);
}

const glassRefused = (pod: string) =>
  ({
    type: 'Warning',
    reason: 'BreakGlassRefused',
    message: `The annotation ${breakGlassAnnotation} of pod ${pod} must name a person and a reason, as in "alice: node is on fire". The pod waits for its hook.`,
  }) as const;
