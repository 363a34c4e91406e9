import type { HookStep } from '#releases/model/canary-step.ts';
import { hasPause, pauseFrom } from './pause.ts';
import { stepName, type StepOutcome } from './step-outcome.ts';
import type { StepRun, StepsGiven } from './steps-model.ts';

const reason = 'PausedByStepBasedHook';

/** Done when its HookRun passes. When it fails, the release pauses or aborts. */
export function hookStepOutcome(given: StepsGiven, { hook }: HookStep): StepOutcome {
  const { before, paused, needsApproval, run, now } = given;
  const isPaused = hasPause(before.pauses, reason);
  if (isPaused && !paused && !needsApproval)
    return { type: 'done', isResumed: true, pausedChange: 'hook-skipped' };
  switch (run.type) {
    case 'good':
      return { type: 'done', isResumed: false };
    case 'waiting':
    case 'impossible':
      return { type: 'wait', blocker: run.blocker };
    case 'none': {
      const message = `${stepName(given)} is about to run its hook.`;
      return { type: 'wait', blocker: { reason: 'WaitingForHook', message } };
    }
    case 'bad': {
      const message = failure(given, run);
      if (hook.onFailure === 'Abort') return { type: 'abort', message };
      const pauses = isPaused
        ? before.pauses.filter((each) => each.reason === reason)
        : [pauseFrom(reason, now)];
      return {
        type: 'pause',
        pauses,
        blocker: { reason, message: `${message} ${remedy(given)}` },
        wakeAt: undefined,
      };
    }
  }
}

type FailedRun = Extract<StepRun, { readonly type: 'bad' }>;

function failure(given: StepsGiven, { name, phase, message }: FailedRun): string {
  const why = message === '' ? '' : ` (${message})`;
  return `${stepName(given)}: HookRun ${name} is ${phase}${why}.`;
}

const remedy = ({ needsApproval }: StepsGiven): string => {
  const byHand = needsApproval ? '' : ' (or set spec.updateStrategy.paused to false)';
  return `Run boathook release promote${byHand} to continue, retry to run the hook again, or abort to return to the stable revision.`;
};
