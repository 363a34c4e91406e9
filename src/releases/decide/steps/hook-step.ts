import type { HookStep } from '#releases/model/canary-step.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import { hasPause, pauseFrom } from './pause.ts';
import { stepName, type StepOutcome } from './step-outcome.ts';
import type { StepRun, StepsGiven } from './steps-model.ts';

const reason = 'PausedByStepBasedHook';

/** Done when its HookRun passes. When it fails, the release pauses or aborts. */
export function hookStepOutcome(given: StepsGiven, { hook }: HookStep): StepOutcome {
  const { before, paused, run, now } = given;
  const isPaused = hasPause(before.pauses, reason);
  if (isPaused && !paused) return { type: 'done', isResumed: true };
  switch (run.type) {
    case 'good':
      return { type: 'done', isResumed: false };
    case 'waiting':
    case 'impossible':
      return { type: 'wait', blocker: run.blocker };
    case 'none': {
      const message = `Step ${(before.stepIndex ?? 0) + 1} is about to ask its hook.`;
      return { type: 'wait', blocker: { reason: 'WaitingForHook', message } };
    }
    case 'bad': {
      const blocker = failedBlocker(given, run, hook.onFailure === 'Abort');
      if (hook.onFailure === 'Abort') return { type: 'abort', blocker };
      const pauses = isPaused
        ? before.pauses.filter((each) => each.reason === reason)
        : [pauseFrom(reason, now)];
      return { type: 'pause', pauses, blocker, wakeAt: undefined };
    }
  }
}

type FailedRun = Extract<StepRun, { readonly type: 'bad' }>;

function failedBlocker(given: StepsGiven, { name, phase, message }: FailedRun, isAbort: boolean): Blocker {
  const why = message === '' ? '' : ` (${message})`;
  const fact = `${stepName(given)}: HookRun ${name} is ${phase}${why}.`;
  if (isAbort) return { reason: 'Aborted', message: `${fact} Pods go back to the stable revision.` };
  const remedy =
    'Set spec.updateStrategy.paused to false to go on, or set the template back to return to the stable revision.';
  return { reason, message: `${fact} ${remedy}` };
}
