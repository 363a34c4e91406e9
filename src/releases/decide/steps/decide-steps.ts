import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import { pauseFrom, type PauseCondition } from './pause.ts';
import { hashOf, nextReleaseId, stableOf, startOf, type Start } from './release-start.ts';
import { walkedSteps } from './step-hash.ts';
import { stepName } from './step-outcome.ts';
import { stepOutcome } from './step-types.ts';
import type { StepsDecision, StepsGiven } from './steps-model.ts';

/** Starts the steps again after a change, or continues with the current step. */
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

/** A new template, or a change of walked steps: results of earlier HookRuns do not count any more. */
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

/** The same step. Only the pause of a user may begin or end. */
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

function atStep(given: StepsGiven, same: StepsDecision, step: CanaryStep): StepsDecision {
  const outcome = stepOutcome(given, step);
  if (outcome.type === 'pause') {
    return {
      ...same,
      pauses: outcome.pauses,
      paused: true,
      blocker: outcome.blocker,
      wakeAt: outcome.wakeAt,
    };
  }
  // The pause of a user stops the step, unless the step itself is paused.
  const users = ownPauses(given);
  if (users.length > 0) return { ...same, pauses: users, paused: true, blocker: userBlocker };
  if (outcome.type === 'wait') return { ...same, pauses: [], paused: false, blocker: outcome.blocker };
  if (outcome.type === 'abort') return abort(given, same, outcome.blocker);
  const unready = given.isHeldByUnready ? given.updatedUnready : 0;
  if (unready > 0 && !outcome.isResumed) return holdBack(given, same);
  return { ...advance(given, same), resumedUnready: unready };
}

/** The step is done, but updated pods are not ready. A pause that is over does not start again. */
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

/** The pause of a user: `paused` is true although no step has set it. */
function ownPauses({ before, paused, now }: StepsGiven): readonly PauseCondition[] {
  if (!paused) return [];
  const known = before.pauses.find(({ reason }) => reason === 'PausedByUser');
  if (known !== undefined) return [known];
  return before.pauses.length > 0 ? [] : [pauseFrom('PausedByUser', now)];
}

const userBlocker: Blocker = {
  reason: 'PausedByUser',
  message: 'Paused by a person: set spec.updateStrategy.paused to false to go on.',
};

function unreadyBlocker(given: StepsGiven): Blocker {
  const remedy =
    given.before.pauses.length > 0
      ? 'set spec.updateStrategy.paused to false to go on without them'
      : 'set spec.updateStrategy.canary.holdOnUnready to false to go on without them';
  return {
    reason: 'CanaryPodsNotReady',
    message: `${stepName(given)} is done, but ${given.updatedUnready} updated pods are not ready. The release goes on when they are; ${remedy}, or set the template back.`,
  };
}

const abortedBlocker = ({ before }: StepsGiven): Blocker => ({
  reason: 'Aborted',
  message: `Revision ${before.abortedRevision ?? ''} was taken back to ${before.stableRevision ?? ''} after a bad verdict: change the template to begin again.`,
});
