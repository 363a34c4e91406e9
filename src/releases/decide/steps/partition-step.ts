import { partitionAtStep } from './partition.ts';
import { stepName, type StepOutcome } from './step-outcome.ts';
import type { StepsGiven } from './steps-model.ts';

/** Done when as many updated pods as the partition leaves, or more, are ready. */
export const partitionStepOutcome = (given: StepsGiven): StepOutcome =>
  waitForPods(given) ?? { type: 'done', isResumed: false };

/** Undefined when the pods that are due at this step are updated and ready. */
export function waitForPods(given: StepsGiven): StepOutcome | undefined {
  const { before, steps = [], replicas, updatedReady, updateRevision } = given;
  const target = replicas - partitionAtStep(steps, before.stepIndex ?? 0, replicas);
  if (updatedReady >= target) return undefined;
  const message = `${stepName(given)} waits for pods: ${updatedReady} of ${target} of revision ${updateRevision} are in service.`;
  return { type: 'wait', blocker: { reason: 'WaitingForPods', message } };
}
