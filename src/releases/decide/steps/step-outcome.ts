import type { Instant } from '#base/time.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { PauseCondition } from './pause.ts';
import type { PausedChange, StepsBefore } from './steps-model.ts';

/** What the current step does at this reconcile. */
export type StepOutcome =
  /** `isResumed`: a user ended its pause. */
  | { readonly type: 'done'; readonly isResumed: boolean; readonly pausedChange?: PausedChange }
  | { readonly type: 'wait'; readonly blocker: Blocker }
  /** Pods go back to the stable revision. */
  | { readonly type: 'abort'; readonly message: string }
  | {
      readonly type: 'pause';
      readonly pauses: readonly PauseCondition[];
      readonly blocker: Blocker;
      readonly wakeAt: Instant | undefined;
    };

/** A step as messages name it: `step 2/5`. */
export const stepNumber = (index: number | undefined, { length }: readonly CanaryStep[]): string =>
  `step ${Math.min((index ?? 0) + 1, length)}/${length}`;

/** The current step at the start of a sentence. */
export const stepName = ({
  before,
  steps = [],
}: {
  readonly before: Pick<StepsBefore, 'stepIndex'>;
  readonly steps?: readonly CanaryStep[] | undefined;
}): string => `S${stepNumber(before.stepIndex, steps).slice(1)}`;
