import { listAt, numberAt, textAt } from '#base/json.ts';
import { formatTime, instant, parseTime } from '#base/time.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { readGameDeployment, readStep } from '#releases/model/read.ts';

/** Where a release is, as far as it matters to a person who acts on it. */
export type ReleaseSituation =
  | { readonly type: 'deleting' }
  /** No controller has written a status yet. */
  | { readonly type: 'new' }
  | KnownSituation;

export type KnownSituation =
  | { readonly type: 'without-steps' }
  | { readonly type: 'aborted'; readonly stable: string; readonly revision: string }
  /** No step is left. */
  | { readonly type: 'done' }
  /** A user has paused it. */
  | { readonly type: 'paused-by-user' }
  /** A pause step. `until`: when it ends by itself. */
  | { readonly type: 'pause-step'; readonly until: string | undefined }
  | { readonly type: 'failed-hook'; readonly hookRun: string }
  /** The step is done, but updated pods are not ready. */
  | { readonly type: 'unready' }
  | { readonly type: 'hook-running' }
  | { readonly type: 'updating' };

export function situationOf(workload: KubeObject): ReleaseSituation {
  if (isDeleting(workload)) return { type: 'deleting' };
  const revision = textAt(workload, 'status', 'updateRevision');
  if (revision === undefined) return { type: 'new' };
  const steps = stepsOf(workload);
  if (steps.length === 0) return { type: 'without-steps' };
  const index = numberAt(workload, 'status', 'currentStepIndex');
  if (index === undefined) return { type: 'new' };
  if (textAt(workload, 'status', 'canary', 'abortedRevision') === revision)
    return { type: 'aborted', stable: textAt(workload, 'status', 'canary', 'revision') ?? '', revision };
  const step = steps[index];
  return step === undefined ? { type: 'done' } : atStep(workload, step);
}

function atStep(workload: KubeObject, step: CanaryStep): ReleaseSituation {
  const pauses = listAt(workload, 'status', 'pauseConditions');
  const paused = (reason: string) => pauses.find((each) => textAt(each, 'reason') === reason);
  if (paused('PausedByStepBasedHook') !== undefined)
    return {
      type: 'failed-hook',
      hookRun: textAt(workload, 'status', 'canary', 'currentStepHookRun') ?? '',
    };
  const pause = paused('PausedByCanaryPauseStep');
  if (pause !== undefined) return { type: 'pause-step', until: endOf(step, textAt(pause, 'startTime')) };
  if (paused('PausedByUser') !== undefined) return { type: 'paused-by-user' };
  if (isUnready(workload)) return { type: 'unready' };
  return { type: step.type === 'hook' ? 'hook-running' : 'updating' };
}

function endOf(step: CanaryStep, start: string | undefined): string | undefined {
  if (step.type !== 'pause' || step.duration === undefined) return undefined;
  const from = parseTime(start ?? '');
  return from === undefined ? undefined : formatTime(instant(from + step.duration));
}

function isUnready(workload: KubeObject): boolean {
  const reasons = listAt(workload, 'status', 'conditions').map((each) => textAt(each, 'reason'));
  return [textAt(workload, 'status', 'reason'), ...reasons].includes('CanaryPodsNotReady');
}

/** The canary steps; empty without a canary block. */
export const stepsOf = (workload: KubeObject): readonly CanaryStep[] =>
  readGameDeployment(workload).spec.updateStrategy?.canary?.steps.map(readStep) ?? [];

/** A step as people read it: `step 2/5` for the index 1. */
export const stepText = (workload: KubeObject, index: number): string =>
  `step ${index + 1}/${stepsOf(workload).length}`;

export const currentStep = (workload: KubeObject): number =>
  numberAt(workload, 'status', 'currentStepIndex') ?? 0;

/** Whether the controller has seen the spec as it is. */
export const isObserved = (workload: KubeObject): boolean =>
  (numberAt(workload, 'status', 'observedGeneration') ?? 0) >=
  (numberAt(workload, 'metadata', 'generation') ?? 0);
