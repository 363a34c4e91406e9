import { listAt, textAt } from '#base/json.ts';
import { later, parseTime, seconds, type Instant } from '#base/time.ts';
import { conditionOf, isConditionTrue } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import { actTargetOf, isSameTarget, readAct } from '#releases/model/act.ts';
import { readStep } from '#releases/model/read.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { canaryStepsOf, stepIndexOf } from './read-workload.ts';
import { releaseSummaryOf } from './release-summary.ts';

/** Whether a release can still succeed by itself. */
export type ReleaseVerdict =
  /** All pods are updated and in service. */
  | { readonly type: 'complete' }
  /** It continues by itself. */
  | { readonly type: 'progressing' }
  /** A pause step with a duration: it continues by itself at `until`. */
  | { readonly type: 'timed-pause'; readonly until: Instant }
  /** Blocked by something that may end by itself, such as an exceeded quota. From `failsAt` on it counts as failed. */
  | { readonly type: 'blocked-for-now'; readonly failsAt: Instant }
  /** A person must promote, resume or act otherwise. */
  | { readonly type: 'waiting' }
  | { readonly type: 'failed' };

/** Causes that may end without a change of the workload. */
const passing: ReadonlySet<string> = new Set([
  'FailedCreate',
  'FailedDelete',
  'FailedUpdate',
  'NoHookController',
]);
const patience = seconds(60);
const pauseStep = 'PausedByCanaryPauseStep';

export function releaseVerdict(workload: KubeObject): ReleaseVerdict {
  const { phase, reason, isObserved, isDeleting } = releaseSummaryOf(workload);
  if (isDeleting) return { type: 'failed' };
  if (!isObserved || hasPendingAct(workload)) return { type: 'progressing' };
  switch (phase) {
    case 'Complete':
      return isConditionTrue(workload, 'Healthy') ? { type: 'complete' } : { type: 'progressing' };
    case 'Blocked':
      return blockedVerdict(workload, reason);
    case 'Paused':
      return pausedVerdict(workload);
    default:
      return reason === 'WaitingForDeletion' ? { type: 'waiting' } : { type: 'progressing' };
  }
}

/** A user has made a request for exactly this state, and the controller has not decided it yet. */
function hasPendingAct(workload: KubeObject): boolean {
  const read = readAct(workload);
  if (read.type !== 'act') return false;
  const { id, target } = read.act;
  const last = textAt(workload, 'status', 'canary', 'lastAct', 'id');
  return id !== last && isSameTarget(target, actTargetOf(workload));
}

function blockedVerdict(workload: KubeObject, reason: string): ReleaseVerdict {
  const since = parseTime(textAt(conditionOf(workload, 'Progressing'), 'lastTransitionTime') ?? '');
  if (!passing.has(reason) || since === undefined) return { type: 'failed' };
  return { type: 'blocked-for-now', failsAt: later(since, patience) };
}

function pausedVerdict(workload: KubeObject): ReleaseVerdict {
  const reasons = listAt(workload, 'status', 'pauseConditions').map((each) => textAt(each, 'reason'));
  if (reasons.some((reason) => reason !== pauseStep)) return { type: 'waiting' };
  const step = canaryStepsOf(workload)[stepIndexOf(workload) ?? -1];
  const end = step === undefined ? undefined : pauseEnd(workload, readStep(step));
  return end === undefined ? { type: 'waiting' } : { type: 'timed-pause', until: end };
}

/** When the present pause of a step ends by itself; undefined when it does not, or when there is none. */
export function pauseEnd(workload: KubeObject, step: CanaryStep): Instant | undefined {
  if (step.type !== 'pause' || step.duration === undefined) return undefined;
  const pauses = listAt(workload, 'status', 'pauseConditions');
  const pause = pauses.find((each) => textAt(each, 'reason') === pauseStep);
  const start = parseTime(textAt(pause, 'startTime') ?? '');
  return start === undefined ? undefined : later(start, step.duration);
}
