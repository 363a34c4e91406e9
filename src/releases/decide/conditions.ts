import { textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import {
  conditionOf,
  conditionsOf,
  removeCondition,
  setCondition,
  withTransitionTime,
  type Condition,
  type ConditionStatus,
} from '#kube/conditions.ts';
import type { HookCheck } from './hook-check.ts';
import type { PauseCondition } from './steps/pause.ts';
import type { Blocker, BlockerReason } from '#releases/model/blocker.ts';

export type ReleasePhase = 'Progressing' | 'Paused' | 'Blocked' | 'Complete';

export type ReleaseState = {
  readonly phase: ReleasePhase;
  readonly blocker: Blocker | undefined;
  readonly message: string;
};

export type ReleaseStateGiven = {
  readonly blockers: readonly Blocker[];
  readonly pauses: readonly PauseCondition[];
  readonly isComplete: boolean;
  readonly isOverdue: boolean;
  /** The message of a complete release. */
  readonly done: string;
  /** The message of a progressing release. */
  readonly moving: string;
  /** Why a pod is not in service, if its status shows it. */
  readonly cause?: string | undefined;
};

/** Reasons that need a change by a user or by another controller. */
const blocking: ReadonlySet<BlockerReason> = new Set([
  'UnknownStep',
  'NoHookController',
  'HookTemplateMissing',
  'HookTemplateInvalid',
  'HookArgMissing',
  'Aborted',
  'PodHookFailed',
  'PodHookDeadline',
  'InPlaceUpdateStuck',
  'InPlaceImpossible',
  'HotPatchUnsupported',
  'FailedCreate',
  'FailedDelete',
  'FailedUpdate',
  'InvalidSpec',
  'ProgressDeadlineExceeded',
]);

/** Reasons that are reported before those that only wait for pods. */
const telling: ReadonlySet<BlockerReason> = new Set([
  'BlockedByDisruptionBudget',
  'WaitingForPodHook',
  'WaitingForDeletion',
]);

/** Reasons for which the message adds why a pod is not in service. */
const explained: ReadonlySet<BlockerReason> = new Set([
  'WaitingForPods',
  'MaxUnavailableReached',
  'CanaryPodsNotReady',
]);

/** Whether the reason becomes a Warning event. */
export const isAlarming = (reason: BlockerReason): boolean =>
  blocking.has(reason) || reason === 'PausedByStepBasedHook';

/** Blocked comes before Paused, Paused before Complete, and Complete before Progressing. */
export function releaseStateOf(given: ReleaseStateGiven): ReleaseState {
  const { blockers, pauses, isComplete, isOverdue, done } = given;
  const block = blockers.find(({ reason }) => blocking.has(reason));
  if (block !== undefined) return { phase: 'Blocked', blocker: block, message: block.message };
  const pause = blockers.find(({ reason }) => reason.startsWith('PausedBy'));
  if (pauses.length > 0 && pause !== undefined)
    return { phase: 'Paused', blocker: pause, message: pause.message };
  if (isComplete) return { phase: 'Complete', blocker: undefined, message: done };
  const blocker = blockers.find(({ reason }) => telling.has(reason)) ?? blockers[0];
  const message = isOverdue
    ? `No progress for too long. ${whyWaiting(given, blocker)}`
    : whyWaiting(given, blocker);
  return isOverdue
    ? { phase: 'Blocked', blocker: { reason: 'ProgressDeadlineExceeded', message }, message }
    : { phase: 'Progressing', blocker, message };
}

function whyWaiting({ moving, cause }: ReleaseStateGiven, blocker: Blocker | undefined): string {
  const message = blocker?.message ?? moving;
  const isExplained = cause !== undefined && (blocker === undefined || explained.has(blocker.reason));
  return isExplained ? `${message} ${cause}` : message;
}

export type ConditionsGiven = {
  readonly state: ReleaseState;
  readonly isAvailable: boolean;
  readonly isHealthy: boolean;
  /** The message of Available and Healthy. */
  readonly inService: string;
  readonly now: Instant;
};

/** Available, Progressing, Paused and Healthy. Other conditions are kept as they are. */
export const conditionsFor = (workload: KubeObject, given: ConditionsGiven): readonly Json[] =>
  rowsOf(given).reduce<readonly Json[]>((conditions, { message, ...row }) => {
    const condition = message === '' ? row : { ...row, message };
    return setCondition(conditions, condition, given.now);
  }, conditionsOf(workload));

const truth = (holds: boolean): ConditionStatus => (holds ? 'True' : 'False');

function rowsOf({ state, isAvailable, isHealthy, inService }: ConditionsGiven): readonly Condition[] {
  const { phase, blocker, message } = state;
  const why = blocker?.reason ?? phase;
  const enough = isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable';
  return [
    { type: 'Available', status: truth(isAvailable), reason: enough, message: inService },
    { type: 'Progressing', status: isFailed(state) ? 'False' : progressing[phase], reason: why, message },
    phase === 'Paused'
      ? { type: 'Paused', status: 'True', reason: why, message }
      : { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' },
    isHealthy
      ? { type: 'Healthy', status: 'True', reason: 'AllInService', message: inService }
      : { type: 'Healthy', status: 'False', reason: blocker?.reason ?? 'NotAllInService', message },
  ];
}

/** It does not continue by itself: it is blocked, or the hook of a step failed. */
export const isFailed = ({ phase, blocker }: ReleaseState): boolean =>
  phase === 'Blocked' || blocker?.reason === 'PausedByStepBasedHook';

const progressing: Readonly<Record<ReleasePhase, ConditionStatus>> = {
  Progressing: 'True',
  Complete: 'True',
  Paused: 'Unknown',
  Blocked: 'False',
};

/** Sets HooksValid, or removes it from a workload without hooks. */
export function withHookCheck(
  conditions: readonly Json[],
  check: HookCheck | undefined,
  now: Instant,
): readonly Json[] {
  const type = 'HooksValid';
  if (check === undefined) return removeCondition(conditions, type);
  const condition = check.isValid
    ? { type, status: 'True', reason: 'Checked', message: 'All hooks can run.' }
    : { type, status: 'False', reason: check.reason, message: check.message };
  return setCondition(conditions, condition, now);
}

/** Sets the condition of a refused write; it is removed when a write succeeds. */
export function withFailure(
  workload: KubeObject,
  type: 'FailedScale' | 'FailedUpdate',
  trouble: { readonly reason: string; readonly message: string } | undefined,
  now: Instant,
): readonly Json[] {
  const conditions = conditionsOf(workload);
  if (trouble === undefined) return removeCondition(conditions, type);
  return setCondition(conditions, { type, status: 'True', ...trouble }, now);
}

/**
 * The status when the server refuses to create or delete pods, or a write is not confirmed. A progressing or complete
 * release becomes Blocked; one that is paused, or blocked by something else, keeps its message.
 */
export function statusWithFailure(
  workload: KubeObject,
  status: JsonObject,
  trouble: { readonly reason: string; readonly message: string } | undefined,
  now: Instant,
): JsonObject {
  const type = trouble?.reason === 'FailedUpdate' ? 'FailedUpdate' : 'FailedScale';
  const conditions = withFailure({ status }, type, trouble, now);
  const phase = textAt(status, 'phase');
  const isBlocked = phase === 'Blocked' && textAt(status, 'reason') !== trouble?.reason;
  if (trouble === undefined || phase === 'Paused' || isBlocked) return { ...status, conditions };
  const before = conditionOf(workload, 'Progressing');
  const progress = withTransitionTime({ type: 'Progressing', status: 'False', ...trouble }, before, now);
  const others = conditions.map((each) => (textAt(each, 'type') === 'Progressing' ? progress : each));
  return {
    ...status,
    phase: 'Blocked',
    reason: trouble.reason,
    message: trouble.message,
    conditions: others,
  };
}
