import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { StepHook } from '#releases/kinds/canary.ts';
import { hookStepOutcome } from './hook-step.ts';
import { partitionStepOutcome } from './partition-step.ts';
import { pauseStepOutcome } from './pause-step.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { StepsGiven } from './steps-model.ts';
import { unknownStepOutcome } from './unknown-step.ts';

export function stepOutcome(given: StepsGiven, step: CanaryStep): StepOutcome {
  switch (step.type) {
    case 'partition':
      return partitionStepOutcome(given);
    case 'pause':
      return pauseStepOutcome(given, step);
    case 'hook':
      return hookStepOutcome(given, step);
    case 'unknown':
      return unknownStepOutcome(given, step);
  }
}

/** The hook that a step runs. */
export function hookOf(step: CanaryStep): StepHook | undefined {
  switch (step.type) {
    case 'hook':
      return step.hook;
    case 'partition':
    case 'pause':
      return undefined;
    case 'unknown':
      return step.spec.hook;
  }
}
