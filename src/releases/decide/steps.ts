import type { Step } from '#releases/kinds/canary.ts';
import type { Instant } from '#base/time.ts';
import { hasPause, pauseEnd, pauseFrom, pauseSpan, timedPauseFrom, type PauseCondition } from './pause.ts';
import { partitionAtStep } from './partition.ts';
import type { Blocker } from './blocker.ts';
import { hashOf, nextReleaseId, stableOf, startOf, type Start } from './release-start.ts';
import {
  abortedBlocker,
  badBlocker,
  hookBlocker,
  pauseBlocker,
  podsBlocker,
  unknownStepBlocker,
  unreadyBlocker,
  userBlocker,
} from './step-blockers.ts';
import { stepKindOf } from './step-kind.ts';
import type { StepsDecision, StepsGiven } from './steps-model.ts';
import { walkedSteps } from './walked-steps.ts';

/** Where the release stands after this look (§2.8.3): the first case that fits decides. */
export function decideSteps(given: StepsGiven): StepsDecision {
  const { steps } = given;
  const start = startOf(given);
  const decision = start === undefined ? walkOn(given) : reset(given, start);
  const walked =
    steps === undefined || decision.stepIndex === undefined
      ? undefined
      : walkedSteps(steps, decision.stepIndex);
  return { ...decision, walked };
}

function walkOn(given: StepsGiven): StepsDecision {
  const { before, steps, updateRevision } = given;
  const same = keep(given);
  if (steps === undefined) return { ...same, stepIndex: undefined, stableRevision: undefined };
  if (before.abortedRevision === updateRevision) return { ...same, blocker: abortedBlocker(given) };
  const index = before.stepIndex ?? steps.length;
  const step = steps[index];
  if (step === undefined) return { ...same, stepIndex: steps.length, stableRevision: updateRevision };
  return atStep(given, { ...same, stepIndex: index }, step);
}

/** Pods that must be updated and in service before a step counts as done: reached or passed (decision 16). */
function stepTarget(steps: readonly Step[], index: number, replicas: number): number {
  return replicas - partitionAtStep(steps, index, replicas);
}

/** A new template, or a change of steps that were walked. What earlier runs found decides nothing any more. */
function reset(given: StepsGiven, { index, isNewRevision }: Start): StepsDecision {
  const { before, steps, now } = given;
  const pauses = ownPauses(given);
  const isFirst = before.updateRevision === undefined;
  return {
    isReset: !isFirst,
    stepIndex: steps === undefined ? undefined : index,
    stepHash: hashOf(steps),
    walked: undefined,
    releaseId: steps === undefined ? undefined : nextReleaseId(before.releaseId, now),
    stableRevision: steps === undefined ? undefined : stableOf(given),
    abortedRevision: isNewRevision ? undefined : before.abortedRevision,
    pauses,
    paused: pauses.length > 0,
    movedTo: steps === undefined || isFirst ? undefined : index,
    resumedUnready: 0,
    blocker: undefined,
    wakeAt: undefined,
  };
}

/** Nothing changes but that a person may pause, or go on. */
function keep(given: StepsGiven): StepsDecision {
  const { before, steps } = given;
  const pauses = ownPauses(given);
  return {
    isReset: false,
    stepIndex: before.stepIndex,
    stepHash: hashOf(steps),
    walked: undefined,
    releaseId: before.releaseId,
    stableRevision: before.stableRevision,
    abortedRevision: before.abortedRevision,
    pauses,
    paused: pauses.length > 0,
    movedTo: undefined,
    resumedUnready: 0,
    blocker: pauses.length > 0 ? userBlocker : undefined,
    wakeAt: undefined,
  };
}

function atStep(given: StepsGiven, same: StepsDecision, step: Step): StepsDecision {
  const outcome = outcomeAt(given, step);
  if (outcome.type === 'pause') {
    return {
      ...same,
      pauses: outcome.pauses,
      paused: true,
      blocker: outcome.blocker,
      wakeAt: outcome.wakeAt,
    };
  }
  // A person's pause stops steps as well, but not one that already says why it stands still.
  const users = ownPauses(given);
  if (users.length > 0) return { ...same, pauses: users, paused: true, blocker: userBlocker };
  if (outcome.type === 'blocker') return { ...same, pauses: [], paused: false, blocker: outcome.blocker };
  if (outcome.type === 'abort') return abort(given, same, outcome.blocker);
  const unready = given.isHeldByUnready ? given.updatedUnready : 0;
  if (unready > 0 && !outcome.isResumed) return holdBack(given, same);
  return { ...advance(given, same), resumedUnready: unready };
}

type AtStep =
  | { readonly type: 'done'; /** A person ended a pause. */ readonly isResumed: boolean }
  | { readonly type: 'blocker'; readonly blocker: Blocker }
  | { readonly type: 'abort'; readonly blocker: Blocker }
  | {
      readonly type: 'pause';
      readonly pauses: readonly PauseCondition[];
      readonly blocker: Blocker;
      readonly wakeAt: Instant | undefined;
    };

function outcomeAt(given: StepsGiven, step: Step): AtStep {
  const kind = stepKindOf(step);
  switch (kind.type) {
    case 'hook':
      return atHook(given, kind.hook.onFailure === 'Abort');
    case 'pause':
    case 'partition':
      return atWait(given, step);
    case 'unknown':
      return { type: 'blocker', blocker: unknownStepBlocker(given, kind.fields) };
  }
}

/** The step is done, and pods that it updated are not ready. A pause that has run out is not begun again. */
function holdBack(given: StepsGiven, same: StepsDecision): StepsDecision {
  const { pauses } = given.before;
  return { ...same, pauses, paused: pauses.length > 0, blocker: unreadyBlocker(given) };
}

function advance({ steps = [], updateRevision }: StepsGiven, same: StepsDecision): StepsDecision {
  const next = (same.stepIndex ?? 0) + 1;
  return {
    ...same,
    stepIndex: next,
    stableRevision: next >= steps.length ? updateRevision : same.stableRevision,
    pauses: [],
    paused: false,
    movedTo: next,
    blocker: undefined,
    wakeAt: undefined,
  };
}

const abort = ({ updateRevision }: StepsGiven, same: StepsDecision, blocker: Blocker): StepsDecision => ({
  ...same,
  abortedRevision: updateRevision,
  pauses: [],
  paused: false,
  blocker,
});

const done = (isResumed: boolean): AtStep => ({ type: 'done', isResumed });

/** Steps that update or pause: both first want the pods that are due. */
function atWait(given: StepsGiven, step: Step): AtStep {
  const { before, steps = [], updatedReady, replicas } = given;
  const isPaused = hasPause(before.pauses, 'PausedByCanaryPauseStep');
  const target = stepTarget(steps, before.stepIndex ?? 0, replicas);
  if (updatedReady < target && !isPaused) return { type: 'blocker', blocker: podsBlocker(given, target) };
  if (step.pause === undefined) return done(false);
  return isPaused ? atPause(given, step) : beginPause(given, step);
}

function beginPause(given: StepsGiven, step: Step): AtStep {
  const isTimed = pauseSpan(step) !== undefined;
  const pauses = [isTimed ? timedPauseFrom(given.now) : pauseFrom('PausedByCanaryPauseStep', given.now)];
  const wakeAt = pauseEnd(step, pauses);
  return { type: 'pause', pauses, blocker: pauseBlocker(given, step, wakeAt), wakeAt };
}

function atPause(given: StepsGiven, step: Step): AtStep {
  const { before, paused, now } = given;
  const end = pauseEnd(step, before.pauses);
  const isOver = pauseSpan(step) === undefined ? !paused : end === undefined || now >= end;
  if (isOver) return done(!paused);
  const pauses = before.pauses.filter(({ reason }) => reason === 'PausedByCanaryPauseStep');
  return { type: 'pause', pauses, blocker: pauseBlocker(given, step, end), wakeAt: end };
}

function atHook(given: StepsGiven, isAbort: boolean): AtStep {
  const { before, paused, run, now } = given;
  const isPaused = hasPause(before.pauses, 'PausedByStepBasedHook');
  if (isPaused && !paused) return done(true);
  if (run.type === 'good') return done(false);
  if (run.type === 'waiting' || run.type === 'impossible') return { type: 'blocker', blocker: run.blocker };
  if (run.type === 'none') return { type: 'blocker', blocker: hookBlocker(before.stepIndex ?? 0) };
  const blocker = badBlocker(given, run, isAbort);
  if (isAbort) return { type: 'abort', blocker };
  const pauses = isPaused
    ? before.pauses.filter(({ reason }) => reason === 'PausedByStepBasedHook')
    : [pauseFrom('PausedByStepBasedHook', now)];
  return { type: 'pause', pauses, blocker, wakeAt: undefined };
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
