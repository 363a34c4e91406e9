import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { withoutCondition } from '#kube/workload/conditions.ts';
import type { HookCheck } from './hook-check.ts';
import type { PauseCondition } from './steps/pause.ts';
import type { Blocker, BlockerReason } from './model/blocker.ts';

/** How a release stands, in one word. */
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
  /** The sentence for a release that is done. */
  readonly done: string;
  /** The sentence for one that moves. */
  readonly moving: string;
  /** What keeps a pod out of service, if it is known. */
  readonly cause?: string | undefined;
};

/** Reasons that no patience will mend. */
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
  'InvalidSpec',
  'ProgressDeadlineExceeded',
]);

/** Reasons that say more than that pods are waited for. */
const telling: ReadonlySet<BlockerReason> = new Set([
  'BlockedByDisruptionBudget',
  'WaitingForPodHook',
  'WaitingForDeletion',
]);

/** Reasons that the state of a pod explains further. */
const explained: ReadonlySet<BlockerReason> = new Set([
  'WaitingForPods',
  'MaxUnavailableReached',
  'CanaryPodsNotReady',
]);

/** What a person must hear of. */
export const isAlarming = (reason: BlockerReason): boolean =>
  blocking.has(reason) || reason === 'PausedByStepBasedHook';

/** What people are told: what blocks before what pauses, and that before what merely takes its time. */
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
  /** In figures, for Available and Healthy. */
  readonly inService: string;
  readonly now: Instant;
};

/** Conditions as `kubectl wait` reads them. The ones about failures of writes are kept as they are. */
export function conditionsFor(workload: KubeObject, given: ConditionsGiven): readonly Json[] {
  const lastTransitionTime = formatTime(given.now);
  return rowsOf(given).reduce<readonly Json[]>((conditions, { type, status, reason, message }) => {
    const notes = message === '' ? {} : { message };
    return withMessage(conditions, { type, status, reason, ...notes, lastTransitionTime });
  }, knownConditions(workload));
}

type Row = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
};

const truth = (holds: boolean): Row['status'] => (holds ? 'True' : 'False');

function rowsOf({ state, isAvailable, isHealthy, inService }: ConditionsGiven): readonly Row[] {
  const { phase, blocker, message } = state;
  const why = blocker?.reason ?? phase;
  const enough = isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable';
  return [
    { type: 'Available', status: truth(isAvailable), reason: enough, message: inService },
    { type: 'Progressing', status: progressing[phase], reason: why, message },
    phase === 'Paused'
      ? { type: 'Paused', status: 'True', reason: why, message }
      : { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' },
    isHealthy
      ? { type: 'Healthy', status: 'True', reason: 'AllInService', message: inService }
      : { type: 'Healthy', status: 'False', reason: blocker?.reason ?? 'NotAllInService', message },
  ];
}

const knownConditions = (workload: KubeObject): readonly Json[] => listAt(workload, 'status', 'conditions');

const progressing: Readonly<Record<ReleasePhase, Row['status']>> = {
  Progressing: 'True',
  Complete: 'True',
  Paused: 'Unknown',
  Blocked: 'False',
};

/** The conditions with whether the hooks that a workload names can be asked; without it where it names none. */
export function withHookCheck(
  conditions: readonly Json[],
  check: HookCheck | undefined,
  now: Instant,
): readonly Json[] {
  const type = 'HooksValid';
  if (check === undefined) return withoutCondition({ status: { conditions } }, type);
  const lastTransitionTime = formatTime(now);
  if (check.isValid) {
    const message = 'All hooks can be asked.';
    return withMessage(conditions, { type, status: 'True', reason: 'Checked', message, lastTransitionTime });
  }
  const { reason, message } = check;
  return withMessage(conditions, { type, status: 'False', reason, message, lastTransitionTime });
}

/** A write that was refused, told on the workload until one succeeds (G5). */
export function withFailure(
  workload: KubeObject,
  type: 'FailedScale' | 'FailedUpdate',
  trouble: { readonly reason: string; readonly message: string } | undefined,
  now: Instant,
): readonly Json[] {
  if (trouble === undefined) return withoutCondition(workload, type);
  return withMessage(knownConditions(workload), {
    type,
    status: 'True',
    ...trouble,
    lastTransitionTime: formatTime(now),
  });
}

/**
 * The status of a workload whose pods the server refuses to make or to delete. A release that moves, as far as it
 * knows, does not: that is told where people look. One that is paused or blocked has said why.
 */
export function statusWithFailure(
  workload: KubeObject,
  status: JsonObject,
  trouble: { readonly reason: string; readonly message: string } | undefined,
  now: Instant,
): JsonObject {
  const conditions = withFailure({ status }, 'FailedScale', trouble, now);
  const phase = textAt(status, 'phase');
  if (trouble === undefined || phase === 'Paused' || phase === 'Blocked') return { ...status, conditions };
  const { message } = trouble;
  const before = knownConditions(workload).find((each) => textAt(each, 'type') === 'Progressing');
  const since = textAt(before, 'status') === 'False' ? textAt(before, 'lastTransitionTime') : undefined;
  const lastTransitionTime = since ?? formatTime(now);
  const progress = { type: 'Progressing', status: 'False', ...trouble, lastTransitionTime };
  const others = conditions.map((each) => (textAt(each, 'type') === 'Progressing' ? progress : each));
  return { ...status, phase: 'Blocked', message, conditions: others };
}

/** A new sentence replaces an old one; each condition keeps its place. */
function withMessage(conditions: readonly Json[], condition: JsonObject): readonly Json[] {
  const at = conditions.findIndex((each) => textAt(each, 'type') === condition['type']);
  const before = conditions[at] as JsonObject | undefined;
  if (before === undefined) return [...conditions, condition];
  const isSame = before['status'] === condition['status'];
  const next =
    isSame && before['lastTransitionTime'] !== undefined
      ? { ...condition, lastTransitionTime: before['lastTransitionTime'] }
      : condition;
  return conditions.with(at, next);
}
