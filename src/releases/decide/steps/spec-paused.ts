import type { PauseCondition } from './pause.ts';
import type { StepsDecision, StepsGiven } from './steps-model.ts';

type SpecPaused = Pick<StepsDecision, 'paused' | 'ignoredResumes' | 'isResumeIgnored' | 'pausedChange'>;

/**
 * The value of `spec.updateStrategy.paused` in the pause of a step. Where only a promotion ends it, `paused: false` is
 * set back once. Later writes are counted and stay: GitOps would write them again and again.
 */
export function specPausedIn(given: StepsGiven, pauses: readonly PauseCondition[]): SpecPaused {
  const { before, paused, needsApproval } = given;
  const isSame = pauses.some(({ reason, startTime }) =>
    before.pauses.some((each) => each.reason === reason && each.startTime === startTime),
  );
  const ignoredResumes = isSame ? before.ignoredResumes : 0;
  if (paused || !isSame || !needsApproval)
    return { paused: true, ignoredResumes, isResumeIgnored: false, pausedChange: undefined };
  if (ignoredResumes === 0)
    return { paused: true, ignoredResumes: 1, isResumeIgnored: false, pausedChange: 'set-back' };
  return {
    paused: false,
    ignoredResumes: ignoredResumes + (before.isResumeIgnored ? 0 : 1),
    isResumeIgnored: true,
    pausedChange: undefined,
  };
}

/** What ends the pause of a step, as part of a sentence. */
export function howToContinue({ needsApproval }: Pick<StepsGiven, 'needsApproval'>): string {
  const command = 'run boathook release promote';
  return needsApproval ? command : `${command} or set spec.updateStrategy.paused to false`;
}

/** The part of a message about ignored writes. */
export const ignoredText = (count: number): string =>
  count === 0
    ? ''
    : ` paused: false was ignored ${count === 1 ? 'once' : `${count} times`}, as resumePolicy is Approval.`;
