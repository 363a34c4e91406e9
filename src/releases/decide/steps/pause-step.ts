import { formatTime, instant, type Instant } from '#base/time.ts';
import type { PauseStep } from '#releases/model/canary-step.ts';
import { hasPause, pauseFrom, startOfPause, type PauseCondition } from './pause.ts';
import { howToContinue } from './spec-paused.ts';
import { waitForPods } from './partition-step.ts';
import { stepName, type StepOutcome } from './step-outcome.ts';
import type { StepsGiven } from './steps-model.ts';

const reason = 'PausedByCanaryPauseStep';

/** Waits for the pods of the steps before it, then pauses. A user cannot shorten a pause that has a duration. */
export function pauseStepOutcome(given: StepsGiven, step: PauseStep): StepOutcome {
  const { before, now } = given;
  const isResumed = !given.paused && !given.needsApproval;
  if (!hasPause(before.pauses, reason)) return waitForPods(given) ?? begin(given, step);
  const end = endOf(step, before.pauses);
  if (step.duration === undefined && isResumed)
    return { type: 'done', isResumed, pausedChange: 'step-resumed' };
  const isOver = step.duration !== undefined && (end === undefined || now >= end);
  if (isOver) return { type: 'done', isResumed };
  return pausing(
    given,
    before.pauses.filter((each) => each.reason === reason),
    end,
  );
}

function begin(given: StepsGiven, step: PauseStep): StepOutcome {
  // Times in a status are whole seconds: a pause with a duration starts at the next one and is never too short.
  const start = step.duration === undefined ? given.now : instant(Math.ceil(given.now / 1000) * 1000);
  const pauses = [pauseFrom(reason, start)];
  return pausing(given, pauses, endOf(step, pauses));
}

function endOf({ duration }: PauseStep, pauses: readonly PauseCondition[]): Instant | undefined {
  const start = startOfPause(pauses, reason);
  return duration === undefined || start === undefined ? undefined : instant(start + duration);
}

function pausing(
  given: StepsGiven,
  pauses: readonly PauseCondition[],
  wakeAt: Instant | undefined,
): StepOutcome {
  const until =
    wakeAt === undefined
      ? `for manual approval: to continue, ${howToContinue(given)}`
      : `until ${formatTime(wakeAt)}`;
  const blocker = { reason, message: `${stepName(given)} pauses ${until}.` } as const;
  return { type: 'pause', pauses, blocker, wakeAt };
}
