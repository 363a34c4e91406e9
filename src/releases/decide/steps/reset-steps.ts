import { nextReleaseId, stableOf, type Start } from './release-start.ts';
import type { StepsDecision, StepsGiven } from './steps-model.ts';
import { sameStep } from './user-pause.ts';

/** A new template, or a change of walked steps: results of earlier HookRuns do not count any more. */
export function reset(given: StepsGiven, { index, isNewRevision }: Start): StepsDecision {
  const { before, steps, now } = given;
  const isFirst = before.updateRevision === undefined;
  return {
    ...sameStep(given),
    isReset: !isFirst,
    stepIndex: steps === undefined ? undefined : index,
    releaseId: steps === undefined ? undefined : nextReleaseId(before.releaseId, now),
    stableRevision: steps === undefined ? undefined : stableOf(given),
    abortedRevision: isNewRevision ? undefined : before.abortedRevision,
    promotion: undefined,
    retries: 0,
    movedTo: steps === undefined || isFirst ? undefined : index,
    blocker: undefined,
  };
}

/** The aborted release starts again at its first step, with an ID of its own. */
export const resetForRetry = (given: StepsGiven): StepsDecision => ({
  ...reset(given, { index: 0, isNewRevision: false }),
  abortedRevision: undefined,
  isRestart: true,
});
