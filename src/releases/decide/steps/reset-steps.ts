import { nextReleaseId, stableOf, type Start } from './release-start.ts';
import type { StepsDecision, StepsGiven } from './steps-model.ts';
import { sameStep } from './user-pause.ts';

/** A new template, or a change of walked steps: results of earlier HookRuns do not count any more. */
export function reset(given: StepsGiven, start: Start): StepsDecision {
  const { before, steps, now } = given;
  const { index, isNewRevision } = start;
  if (start.isTakenOver === true) return takeOver(given, index);
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

/** The release gets an ID of ours. Its step and its pauses are kept, and so is what users wrote in the spec. */
const takeOver = (given: StepsGiven, index: number): StepsDecision => ({
  ...sameStep(given),
  stepIndex: index,
  releaseId: nextReleaseId(undefined, given.now),
  pauses: given.before.pauses,
  paused: given.paused,
  blocker: undefined,
});

/** The aborted release starts again at its first step, with an ID of its own. */
export const resetForRetry = (given: StepsGiven): StepsDecision => ({
  ...reset(given, { index: 0, isNewRevision: false }),
  abortedRevision: undefined,
  isRestart: true,
});
