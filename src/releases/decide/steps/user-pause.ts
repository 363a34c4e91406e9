import type { Blocker } from '#releases/model/blocker.ts';
import { pauseFrom, type PauseCondition } from './pause.ts';
import { hashOf } from './release-start.ts';
import type { StepsDecision, StepsGiven } from './steps-model.ts';

/** The pause of a user: `paused` is true although no step has set it. */
export function userPauses({ before, paused, now }: StepsGiven): readonly PauseCondition[] {
  if (!paused) return [];
  const known = before.pauses.find(({ reason }) => reason === 'PausedByUser');
  if (known !== undefined) return [known];
  return before.pauses.length > 0 ? [] : [pauseFrom('PausedByUser', now)];
}

export const userBlocker: Blocker = {
  reason: 'PausedByUser',
  message:
    'Paused by a user: to continue, run boathook release resume or set spec.updateStrategy.paused to false.',
};

/** The same step. Only the pause of a user may begin or end. */
export function sameStep(given: StepsGiven): StepsDecision {
  const { before, steps } = given;
  const pauses = userPauses(given);
  return {
    isReset: false,
    stepIndex: before.stepIndex,
    stepHash: hashOf(steps),
    walked: undefined,
    releaseId: before.releaseId,
    stableRevision: before.stableRevision,
    abortedRevision: before.abortedRevision,
    aborted: undefined,
    pauses,
    promotion: before.promotion,
    retries: before.retries,
    ignoredResumes: 0,
    isResumeIgnored: false,
    isRestart: false,
    act: undefined,
    pausedChange: undefined,
    paused: pauses.length > 0,
    movedTo: undefined,
    resumedUnready: 0,
    blocker: pauses.length > 0 ? userBlocker : undefined,
    wakeAt: undefined,
  };
}

/** Nothing moves: the workload is being deleted. */
export const frozenSteps = (given: StepsGiven): StepsDecision => ({
  ...sameStep(given),
  pauses: given.before.pauses,
  paused: given.paused,
  blocker: undefined,
});
