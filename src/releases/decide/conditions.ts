import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { withoutCondition } from '#kube/workload/conditions.ts';
import type { HookCheck } from './hook-check.ts';
import type { PauseCondition } from './pause.ts';
import type { Hold, HoldReason } from './reasons.ts';

/** How a release stands, in one word. */
export type ReleasePhase = 'Progressing' | 'Paused' | 'Blocked' | 'Complete';

export type Standing = {
  readonly phase: ReleasePhase;
  readonly hold: Hold | undefined;
  readonly message: string;
};

export type StandingGiven = {
  readonly holds: readonly Hold[];
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
const blocking: ReadonlySet<HoldReason> = new Set([
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
const telling: ReadonlySet<HoldReason> = new Set([
  'BlockedByDisruptionBudget',
  'WaitingForPodHook',
  'WaitingForDeletion',
]);

/** Reasons that the state of a pod explains further. */
const explained: ReadonlySet<HoldReason> = new Set([
  'WaitingForPods',
  'MaxUnavailableReached',
  'CanaryPodsNotReady',
]);

/** What a person must hear of. */
export const isAlarming = (reason: HoldReason): boolean =>
  blocking.has(reason) || reason === 'PausedByStepBasedHook';

/** What people are told: what blocks before what pauses, and that before what merely takes its time. */
export function standingOf(given: StandingGiven): Standing {
  const { holds, pauses, isComplete, isOverdue, done } = given;
  const block = holds.find(({ reason }) => blocking.has(reason));
  if (block !== undefined) return { phase: 'Blocked', hold: block, message: block.message };
  const pause = holds.find(({ reason }) => reason.startsWith('PausedBy'));
  if (pauses.length > 0 && pause !== undefined)
    return { phase: 'Paused', hold: pause, message: pause.message };
  if (isComplete) return { phase: 'Complete', hold: undefined, message: done };
  const hold = holds.find(({ reason }) => telling.has(reason)) ?? holds[0];
  const message = isOverdue
    ? `No progress for too long. ${whyWaiting(given, hold)}`
    : whyWaiting(given, hold);
  return isOverdue
    ? { phase: 'Blocked', hold: { reason: 'ProgressDeadlineExceeded', message }, message }
    : { phase: 'Progressing', hold, message };
}

function whyWaiting({ moving, cause }: StandingGiven, hold: Hold | undefined): string {
  const message = hold?.message ?? moving;
  const isExplained = cause !== undefined && (hold === undefined || explained.has(hold.reason));
  return isExplained ? `${message} ${cause}` : message;
}

export type ConditionsGiven = {
  readonly standing: Standing;
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
    const said = message === '' ? {} : { message };
    return withMessage(conditions, { type, status, reason, ...said, lastTransitionTime });
  }, knownConditions(workload));
}

type Row = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
};

const truth = (holds: boolean): Row['status'] => (holds ? 'True' : 'False');

function rowsOf({ standing, isAvailable, isHealthy, inService }: ConditionsGiven): readonly Row[] {
  const { phase, hold, message } = standing;
  const why = hold?.reason ?? phase;
  const enough = isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable';
  return [
    { type: 'Available', status: truth(isAvailable), reason: enough, message: inService },
    { type: 'Progressing', status: progressing[phase], reason: why, message },
    phase === 'Paused'
      ? { type: 'Paused', status: 'True', reason: why, message }
      : { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' },
    isHealthy
      ? { type: 'Healthy', status: 'True', reason: 'AllInService', message: inService }
      : { type: 'Healthy', status: 'False', reason: hold?.reason ?? 'NotAllInService', message },
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
export function withTrouble(
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
export function statusWithTrouble(
  workload: KubeObject,
  status: JsonObject,
  trouble: { readonly reason: string; readonly message: string } | undefined,
  now: Instant,
): JsonObject {
  const conditions = withTrouble({ status }, 'FailedScale', trouble, now);
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
