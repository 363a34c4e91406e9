import type { Promotion } from '#releases/kinds/release-history.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { StepsBefore } from './steps-model.ts';

/** The promotion that the current step is part of. */
export function promotionAt({
  promotion,
  stepIndex = 0,
}: Pick<StepsBefore, 'promotion' | 'stepIndex'>): Promotion | undefined {
  return promotion !== undefined && stepIndex < promotion.toStep ? promotion : undefined;
}

/** Whether the hook of the current step is skipped. */
export const skipsHook = (before: Pick<StepsBefore, 'promotion' | 'stepIndex'>): boolean =>
  promotionAt(before)?.skipHooks === true;

/** A promotion ends pauses at once and may skip hooks; other steps are as always: undefined. */
export function promotedOutcome(before: StepsBefore, step: CanaryStep): StepOutcome | undefined {
  if (promotionAt(before) === undefined) return undefined;
  switch (step.type) {
    case 'pause':
      return { type: 'done', isResumed: true };
    case 'hook':
      return skipsHook(before) ? { type: 'done', isResumed: true } : undefined;
    case 'partition':
    case 'unknown':
      return undefined;
  }
}
