import type { UnknownStep } from '#releases/model/canary-step.ts';
import { stepName, type StepOutcome } from './step-outcome.ts';
import type { StepsGiven } from './steps-model.ts';

export function unknownStepOutcome(given: StepsGiven, { fields }: UnknownStep): StepOutcome {
  const has = fields.length === 0 ? 'no field' : `the fields ${fields.join(', ')}`;
  const message = `${stepName(given)} has ${has}, and this version of Boathook knows exactly one of partition, pause and hook. Update the controller and its CustomResourceDefinitions, or change the step.`;
  return { type: 'wait', blocker: { reason: 'UnknownStep', message } };
}
