import type { Step } from '#releases/kinds/canary.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { pauseSpan } from './pause.ts';
import type { Blocker } from './blocker.ts';
import type { StepsGiven } from './steps-model.ts';

export const userBlocker: Blocker = {
  reason: 'PausedByUser',
  message: 'Paused by a person: set spec.updateStrategy.paused to false to go on.',
};

const stepName = ({ before, steps = [] }: StepsGiven): string =>
  `Step ${(before.stepIndex ?? 0) + 1} of ${steps.length}`;

export const podsBlocker = (given: StepsGiven, target: number): Blocker => ({
  reason: 'WaitingForPods',
  message: `${stepName(given)} waits for pods: ${given.updatedReady} of ${target} of revision ${given.updateRevision} are in service.`,
});

export function unreadyBlocker(given: StepsGiven): Blocker {
  const remedy =
    given.before.pauses.length > 0
      ? 'set spec.updateStrategy.paused to false to go on without them'
      : 'set spec.updateStrategy.canary.holdOnUnready to false to go on without them';
  return {
    reason: 'CanaryPodsNotReady',
    message: `${stepName(given)} is done, but ${given.updatedUnready} updated pods are not ready. The release goes on when they are; ${remedy}, or set the template back.`,
  };
}

export function pauseBlocker(given: StepsGiven, step: Step, end: Instant | undefined): Blocker {
  const until =
    pauseSpan(step) === undefined || end === undefined
      ? 'until a person sets spec.updateStrategy.paused to false'
      : `until ${formatTime(end)}`;
  return { reason: 'PausedByCanaryPauseStep', message: `${stepName(given)} pauses ${until}.` };
}

export const hookBlocker = (index: number): Blocker => ({
  reason: 'WaitingForHook',
  message: `Step ${index + 1} is about to ask its hook.`,
});

export function unknownStepBlocker(given: StepsGiven, fields: readonly string[]): Blocker {
  const has = fields.length === 0 ? 'no field' : `the fields ${fields.join(', ')}`;
  return {
    reason: 'UnknownStep',
    message: `${stepName(given)} has ${has}, and this version of Boathook knows exactly one of partition, pause and hook. Update the controller and its CustomResourceDefinitions, or change the step.`,
  };
}

export function badBlocker(
  given: StepsGiven,
  run: { readonly name: string; readonly phase: string; readonly message: string },
  isAbort: boolean,
): Blocker {
  const why = run.message === '' ? '' : ` (${run.message})`;
  const fact = `${stepName(given)}: HookRun ${run.name} is ${run.phase}${why}.`;
  if (isAbort) return { reason: 'Aborted', message: `${fact} Pods go back to the stable revision.` };
  const remedy =
    'Set spec.updateStrategy.paused to false to go on, or set the template back to return to the stable revision.';
  return { reason: 'PausedByStepBasedHook', message: `${fact} ${remedy}` };
}

export const abortedBlocker = ({ before }: StepsGiven): Blocker => ({
  reason: 'Aborted',
  message: `Revision ${before.abortedRevision ?? ''} was taken back to ${before.stableRevision ?? ''} after a bad verdict: change the template to begin again.`,
});
