import type { Step } from '#api/game/canary.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { hasPause, pauseEnd, pauseFrom, pauseSpan, timedPauseFrom, type PauseCondition } from './pause.ts';
import { partitionAtStep } from './partition.ts';
import type { Hold } from './reasons.ts';
import { stepHashOf } from './step-hash.ts';

/** What the status said of the release at the last look. */
export type StepsBefore = {
  readonly updateRevision: string | undefined;
  readonly stepIndex: number | undefined;
  readonly stepHash: string | undefined;
  /** The last revision that went through all steps. */
  readonly stableRevision: string | undefined;
  readonly abortedRevision: string | undefined;
  readonly pauses: readonly PauseCondition[];
};

/** How the run of the current hook step stands. */
export type StepRun =
  /** Not asked yet, or not to be asked now. */
  | { readonly type: 'none' }
  | { readonly type: 'waiting'; readonly hold: Hold }
  | { readonly type: 'good' }
  | { readonly type: 'bad'; readonly name: string; readonly phase: string; readonly message: string }
  /** It cannot be asked: the template is missing, or a value. */
  | { readonly type: 'impossible'; readonly hold: Hold };

export type StepsGiven = {
  readonly before: StepsBefore;
  /** Undefined: no canary block. */
  readonly steps: readonly Step[] | undefined;
  readonly replicas: number;
  /** `spec.updateStrategy.paused` as it stands. */
  readonly paused: boolean;
  readonly updateRevision: string;
  /** The oldest revision that a pod has. */
  readonly podsRevision: string | undefined;
  /** Pods of the update revision that count as ready and available. */
  readonly updatedReady: number;
  readonly run: StepRun;
  readonly now: Instant;
};

export type StepsDecision = {
  /** True: everything else waits for the next look. */
  readonly isReset: boolean;
  readonly stepIndex: number | undefined;
  readonly stepHash: string | undefined;
  readonly stableRevision: string | undefined;
  readonly abortedRevision: string | undefined;
  readonly pauses: readonly PauseCondition[];
  /** What `spec.updateStrategy.paused` shall be. */
  readonly paused: boolean;
  /** Set when the step changed: it becomes an event. */
  readonly movedTo: number | undefined;
  /** Why the step is not done. */
  readonly hold: Hold | undefined;
  readonly wakeAt: Instant | undefined;
};

/** Where the release stands after this look (§2.8.3): the first case that fits decides. */
export function decideSteps(given: StepsGiven): StepsDecision {
  const { before, steps, updateRevision } = given;
  const stepHash = steps === undefined ? undefined : stepHashOf(steps);
  const isNewRevision = before.updateRevision !== updateRevision;
  if (isNewRevision || before.stepHash !== stepHash) return reset(given, stepHash, isNewRevision);
  const same = keep(given, stepHash);
  if (steps === undefined) return { ...same, stepIndex: undefined, stableRevision: undefined };
  if (before.abortedRevision === updateRevision) return { ...same, hold: abortedHold(given) };
  const index = before.stepIndex ?? steps.length;
  const step = steps[index];
  if (step === undefined) return { ...same, stepIndex: steps.length, stableRevision: updateRevision };
  return atStep(given, { ...same, stepIndex: index }, step);
}

/** Pods that must be updated and in service before a step counts as done: reached or passed (decision 16). */
function stepTarget(steps: readonly Step[], index: number, replicas: number): number {
  return replicas - partitionAtStep(steps, index, replicas);
}

/**
 * A new template or new steps. The first template of all, and the one that was stable before, need no steps; a
 * release that was already under way when steps were added is walked through them (G15).
 */
function reset(given: StepsGiven, stepHash: string | undefined, isNewRevision: boolean): StepsDecision {
  const { before, steps, updateRevision, podsRevision } = given;
  const pauses = ownPauses(given);
  const stable = before.stableRevision ?? podsRevision ?? updateRevision;
  const index = stable === updateRevision ? (steps?.length ?? 0) : 0;
  const isFirst = before.updateRevision === undefined;
  return {
    isReset: !isFirst,
    stepIndex: steps === undefined ? undefined : index,
    stepHash,
    stableRevision: steps === undefined ? undefined : stable,
    abortedRevision: isNewRevision ? undefined : before.abortedRevision,
    pauses,
    paused: pauses.length > 0,
    movedTo: steps === undefined || isFirst ? undefined : index,
    hold: undefined,
    wakeAt: undefined,
  };
}

/** Nothing changes but that a person may pause, or go on. */
function keep(given: StepsGiven, stepHash: string | undefined): StepsDecision {
  const { before } = given;
  const pauses = ownPauses(given);
  return {
    isReset: false,
    stepIndex: before.stepIndex,
    stepHash,
    stableRevision: before.stableRevision,
    abortedRevision: before.abortedRevision,
    pauses,
    paused: pauses.length > 0,
    movedTo: undefined,
    hold: pauses.length > 0 ? userHold : undefined,
    wakeAt: undefined,
  };
}

function atStep(given: StepsGiven, same: StepsDecision, step: Step): StepsDecision {
  const outcome = step.hook !== undefined ? atHook(given, step) : atWait(given, same, step);
  if (outcome.type === 'pause') {
    return { ...same, pauses: outcome.pauses, paused: true, hold: outcome.hold, wakeAt: outcome.wakeAt };
  }
  // A person's pause stops steps as well, but not one that already says why it stands still.
  const users = ownPauses(given);
  if (users.length > 0) return { ...same, pauses: users, paused: true, hold: userHold };
  if (outcome.type === 'hold') return { ...same, pauses: [], paused: false, hold: outcome.hold };
  if (outcome.type === 'abort') return abort(given, same, outcome.hold);
  return advance(given, same);
}

type AtStep =
  | { readonly type: 'done' }
  | { readonly type: 'hold'; readonly hold: Hold }
  | { readonly type: 'abort'; readonly hold: Hold }
  | {
      readonly type: 'pause';
      readonly pauses: readonly PauseCondition[];
      readonly hold: Hold;
      readonly wakeAt: Instant | undefined;
    };

function advance({ steps = [], updateRevision }: StepsGiven, same: StepsDecision): StepsDecision {
  const next = (same.stepIndex ?? 0) + 1;
  return {
    ...same,
    stepIndex: next,
    stableRevision: next >= steps.length ? updateRevision : same.stableRevision,
    pauses: [],
    paused: false,
    movedTo: next,
    hold: undefined,
    wakeAt: undefined,
  };
}

const abort = ({ updateRevision }: StepsGiven, same: StepsDecision, hold: Hold): StepsDecision => ({
  ...same,
  abortedRevision: updateRevision,
  pauses: [],
  paused: false,
  hold,
});

/** Steps that update or pause: both first want the pods that are due. */
function atWait(given: StepsGiven, { stepIndex = 0 }: StepsDecision, step: Step): AtStep {
  const { before, steps = [], updatedReady, replicas } = given;
  const isPaused = hasPause(before.pauses, 'PausedByCanaryPauseStep');
  const target = stepTarget(steps, stepIndex, replicas);
  if (updatedReady < target && !isPaused) {
    return { type: 'hold', hold: podsHold(given, stepIndex, target) };
  }
  if (step.pause === undefined) return { type: 'done' };
  return isPaused ? atPause(given, step) : beginPause(given, step);
}

function beginPause({ now, before, steps = [] }: StepsGiven, step: Step): AtStep {
  const isTimed = pauseSpan(step) !== undefined;
  const pauses = [isTimed ? timedPauseFrom(now) : pauseFrom('PausedByCanaryPauseStep', now)];
  const wakeAt = pauseEnd(step, pauses);
  return {
    type: 'pause',
    pauses,
    hold: pauseHold(step, before.stepIndex ?? 0, steps.length, wakeAt),
    wakeAt,
  };
}

function atPause({ before, paused, now, steps = [] }: StepsGiven, step: Step): AtStep {
  const end = pauseEnd(step, before.pauses);
  const isOver = pauseSpan(step) === undefined ? !paused : end === undefined || now >= end;
  if (isOver) return { type: 'done' };
  const pauses = before.pauses.filter(({ reason }) => reason === 'PausedByCanaryPauseStep');
  return {
    type: 'pause',
    pauses,
    hold: pauseHold(step, before.stepIndex ?? 0, steps.length, end),
    wakeAt: end,
  };
}

function atHook(given: StepsGiven, step: Step): AtStep {
  const { before, paused, run, now } = given;
  const isPaused = hasPause(before.pauses, 'PausedByStepBasedHook');
  if (isPaused && !paused) return { type: 'done' };
  if (run.type === 'good') return { type: 'done' };
  if (run.type === 'waiting' || run.type === 'impossible') return { type: 'hold', hold: run.hold };
  if (run.type === 'none') return { type: 'hold', hold: hookHold(before.stepIndex ?? 0) };
  const hold = badHold(given, run, step.hook?.onFailure === 'Abort');
  if (step.hook?.onFailure === 'Abort') return { type: 'abort', hold };
  const pauses = isPaused
    ? before.pauses.filter(({ reason }) => reason === 'PausedByStepBasedHook')
    : [pauseFrom('PausedByStepBasedHook', now)];
  return { type: 'pause', pauses, hold, wakeAt: undefined };
}

/**
 * The pause that a person has set, if there is one: `paused` stands although no step has asked for it (G1). A step's
 * own pause at the last look is no sign of a person.
 */
function ownPauses({ before, paused, now }: StepsGiven): readonly PauseCondition[] {
  if (!paused) return [];
  const known = before.pauses.find(({ reason }) => reason === 'PausedByUser');
  if (known !== undefined) return [known];
  return before.pauses.length > 0 ? [] : [pauseFrom('PausedByUser', now)];
}

const userHold: Hold = {
  reason: 'PausedByUser',
  message: 'Paused by a person: set spec.updateStrategy.paused to false to go on.',
};

const stepName = (index: number, count: number): string => `Step ${index + 1} of ${count}`;

const podsHold = (
  { updatedReady, updateRevision, steps = [] }: StepsGiven,
  index: number,
  target: number,
): Hold => ({
  reason: 'WaitingForPods',
  message: `${stepName(index, steps.length)} waits for pods: ${updatedReady} of ${target} of revision ${updateRevision} are in service.`,
});

function pauseHold(step: Step, index: number, count: number, end: Instant | undefined): Hold {
  const until =
    pauseSpan(step) === undefined || end === undefined
      ? 'until a person sets spec.updateStrategy.paused to false'
      : `until ${formatTime(end)}`;
  return { reason: 'PausedByCanaryPauseStep', message: `${stepName(index, count)} pauses ${until}.` };
}

const hookHold = (index: number): Hold => ({
  reason: 'WaitingForHook',
  message: `Step ${index + 1} is about to ask its hook.`,
});

function badHold(
  { before, steps = [] }: StepsGiven,
  run: { readonly name: string; readonly phase: string; readonly message: string },
  isAbort: boolean,
): Hold {
  const why = run.message === '' ? '' : ` (${run.message})`;
  const fact = `${stepName(before.stepIndex ?? 0, steps.length)}: HookRun ${run.name} is ${run.phase}${why}.`;
  if (isAbort) return { reason: 'Aborted', message: `${fact} Pods go back to the stable revision.` };
  const remedy =
    'Set spec.updateStrategy.paused to false to go on, or set the template back to return to the stable revision.';
  return { reason: 'PausedByStepBasedHook', message: `${fact} ${remedy}` };
}

const abortedHold = ({ before }: StepsGiven): Hold => ({
  reason: 'Aborted',
  message: `Revision ${before.abortedRevision ?? ''} was taken back to ${before.stableRevision ?? ''} after a bad verdict: change the template to begin again.`,
});
