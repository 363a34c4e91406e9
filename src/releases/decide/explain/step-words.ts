import { formatDuration } from '#base/duration.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { keptOld } from '#releases/decide/steps/partition.ts';
import type { ExplainContext } from './explain-context.ts';

/** What a step does: `pause for 1m`. */
export function stepWords(step: CanaryStep, replicas: number): string {
  switch (step.type) {
    case 'partition': {
      const kept = keptOld(step.partition, replicas);
      return kept === 0
        ? 'update all pods'
        : `update pods until ${kept} of ${replicas} are left on old revisions`;
    }
    case 'pause':
      return step.duration === undefined
        ? 'pause until a user promotes the release'
        : `pause for ${formatDuration(step.duration)}`;
    case 'hook':
      return `run the hook ${step.hook.templateName}`;
    case 'unknown':
      return 'a step that this version does not know';
  }
}

/** `step 3/5 (run the hook test)`; after the last step `the update of all pods that are left`. */
export function followingStep({ steps, stepIndex, replicas }: ExplainContext): string {
  const index = (stepIndex ?? steps.length) + 1;
  const step = steps[index];
  return step === undefined
    ? 'the update of all pods that are left'
    : `${stepNumber(index, steps)} (${stepWords(step, replicas)})`;
}

/** `step 3/5`, counted from 1. */
export const stepNumber = (index: number, steps: readonly CanaryStep[]): string =>
  `step ${index + 1}/${steps.length}`;

export const currentStep = ({ steps, stepIndex }: ExplainContext): CanaryStep | undefined =>
  stepIndex === undefined ? undefined : steps[stepIndex];
