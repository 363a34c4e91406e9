import { actEffect, type ActEffect } from './act-effect.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { abortNow, abortedBlocker } from './abort-release.ts';
import { hasPause } from './pause.ts';
import { promotedOutcome, promotionAt } from './promotion.ts';
import { startOf } from './release-start.ts';
import { reset, resetForRetry } from './reset-steps.ts';
import { specPausedIn, ignoredText } from './spec-paused.ts';
import { walkedSteps } from './step-hash.ts';
import { stepName } from './step-outcome.ts';
import { stepOutcome } from './step-types.ts';
import type { PausedChange, StepsDecision, StepsGiven } from './steps-model.ts';
import { sameStep, userBlocker, userPauses } from './user-pause.ts';

/** Starts the steps again after a change, applies the request of a user, or continues with the current step. */
export function decideSteps(given: StepsGiven): StepsDecision {
  const { steps, act } = given;
  const start = startOf(given);
  const effect = act?.type === 'act' ? actEffect(given, act.act, start !== undefined) : undefined;
  const decision = start === undefined ? applyEffect(given, effect) : reset(given, start);
  const walked =
    steps === undefined || decision.stepIndex === undefined
      ? undefined
      : walkedSteps(steps, decision.stepIndex);
  return {
    ...decision,
    walked,
    act: decidedAct(given, effect),
    pausedChange: pausedChangeOf(given, decision),
  };
}

function decidedAct({ act }: StepsGiven, effect: ActEffect | undefined): StepsDecision['act'] {
  if (act === undefined) return undefined;
  if (act.type === 'unreadable') return { request: act, isDone: false, message: act.message };
  return { request: act, isDone: effect?.type !== 'ignored', message: effect?.message ?? '' };
}

/** A pause of a user begins or ends, or what the step itself says. */
function pausedChangeOf({ before, paused }: StepsGiven, decision: StepsDecision): PausedChange | undefined {
  const was = hasPause(before.pauses, 'PausedByUser');
  const is = hasPause(decision.pauses, 'PausedByUser');
  if (!was && is) return 'user-paused';
  return was && !paused ? 'user-resumed' : decision.pausedChange;
}

function applyEffect(given: StepsGiven, effect: ActEffect | undefined): StepsDecision {
  const { before } = given;
  switch (effect?.type) {
    case undefined:
    case 'ignored':
      return walkOn(given);
    case 'promotion':
      return walkOn({ ...given, before: { ...before, promotion: effect.promotion } });
    case 'advance': {
      const same = { ...sameStep(given), promotion: effect.promotion };
      return { ...advance(given, same), resumedUnready: heldUnready(given) };
    }
    case 'abort':
      return abortNow(given, sameStep(given), { cause: 'AbortedByUser', message: effect.cause });
    case 'retry-hook': {
      const message = `${stepName(given)} is about to run its hook again.`;
      const blocker: Blocker = { reason: 'WaitingForHook', message };
      return { ...sameStep(given), pauses: [], paused: false, retries: before.retries + 1, blocker };
    }
    case 'restart':
      return resetForRetry(given);
  }
}

function walkOn(given: StepsGiven): StepsDecision {
  const { before, steps, updateRevision } = given;
  const same = sameStep(given);
  if (steps === undefined) return { ...same, stepIndex: undefined, stableRevision: undefined };
  if (before.abortedRevision === updateRevision) return { ...same, blocker: abortedBlocker(given) };
  const index = before.stepIndex ?? steps.length;
  const step = steps[index];
  if (step === undefined)
    return { ...same, stepIndex: steps.length, stableRevision: updateRevision, promotion: undefined };
  return atStep(given, { ...same, stepIndex: index }, step);
}

function atStep(given: StepsGiven, same: StepsDecision, step: CanaryStep): StepsDecision {
  const outcome = promotedOutcome(given.before, step) ?? stepOutcome(given, step);
  if (outcome.type === 'pause') {
    const written = specPausedIn(given, outcome.pauses);
    const { reason, message } = outcome.blocker;
    const blocker = { reason, message: `${message}${ignoredText(written.ignoredResumes)}` };
    return { ...same, ...written, pauses: outcome.pauses, blocker, wakeAt: outcome.wakeAt };
  }
  // The pause of a user stops the step, unless the step itself is paused.
  const users = userPauses(given);
  if (users.length > 0) return { ...same, pauses: users, paused: true, blocker: userBlocker };
  if (outcome.type === 'wait') return { ...same, pauses: [], paused: false, blocker: outcome.blocker };
  if (outcome.type === 'abort') {
    const { message } = outcome;
    return abortNow(given, same, { cause: 'HookFailed', message });
  }
  const isResumed = outcome.isResumed || promotionAt(given.before) !== undefined;
  if (heldUnready(given) > 0 && !isResumed) return holdBack(given, same);
  const { pausedChange } = outcome;
  return { ...advance(given, same), resumedUnready: heldUnready(given), pausedChange };
}

const heldUnready = ({ isHeldByUnready, updatedUnready }: StepsGiven): number =>
  isHeldByUnready ? updatedUnready : 0;

/** The step is done, but updated pods are not ready. A pause that is over does not start again. */
function holdBack(given: StepsGiven, same: StepsDecision): StepsDecision {
  const { pauses } = given.before;
  const blocker = unreadyBlocker(given);
  if (pauses.length === 0) return { ...same, pauses, paused: false, blocker };
  return { ...same, ...specPausedIn(given, pauses), pauses, blocker };
}

function advance({ steps = [], updateRevision }: StepsGiven, same: StepsDecision): StepsDecision {
  const next = (same.stepIndex ?? 0) + 1;
  const { promotion } = same;
  return {
    ...same,
    stepIndex: next,
    stableRevision: next >= steps.length ? updateRevision : same.stableRevision,
    promotion: promotion === undefined || next >= promotion.toStep ? undefined : promotion,
    retries: 0,
    pauses: [],
    paused: false,
    movedTo: next,
    blocker: undefined,
    wakeAt: undefined,
  };
}

function unreadyBlocker(given: StepsGiven): Blocker {
  const canResume = given.before.pauses.length > 0 && !given.needsApproval;
  const others = canResume
    ? 'set spec.updateStrategy.paused to false'
    : 'set spec.updateStrategy.canary.holdOnUnready to false';
  const remedy = `To continue without them, run boathook release promote or ${others}; or set the template back.`;
  return {
    reason: 'CanaryPodsNotReady',
    message: `${stepName(given)} is done, but ${given.updatedUnready} updated pods are not ready. The release continues when they are. ${remedy}`,
  };
}
