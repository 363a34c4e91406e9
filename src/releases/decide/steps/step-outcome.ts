import type { Instant } from '#base/time.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import type { PauseCondition } from './pause.ts';
import type { StepsGiven } from './steps-model.ts';

/** What the current step does at this reconcile. */
export type StepOutcome =
  /** `isResumed`: a user ended its pause. */
  | { readonly type: 'done'; readonly isResumed: boolean }
  | { readonly type: 'wait'; readonly blocker: Blocker }
  /** Pods go back to the stable revision. */
  | { readonly type: 'abort'; readonly blocker: Blocker }
  | {
      readonly type: 'pause';
      readonly pauses: readonly PauseCondition[];
      readonly blocker: Blocker;
      readonly wakeAt: Instant | undefined;
    };

export const stepName = ({ before, steps = [] }: StepsGiven): string =>
  `Step ${(before.stepIndex ?? 0) + 1} of ${steps.length}`;
