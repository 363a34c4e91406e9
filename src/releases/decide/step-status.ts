import type { RecordedAct } from '#releases/kinds/release-history.ts';
import { objectAt, type Json } from '#base/json.ts';
import { listOrUndefined, withoutUndefined } from './defined.ts';
import type { Release } from './release.ts';

/** The part of the status about the steps. `act`: the request of a user that was decided now. */
export function stepStatus(
  { snapshot, steps, stepRun, spec }: Release,
  act: RecordedAct | undefined,
): Readonly<Record<string, Json | undefined>> {
  const { stepIndex, stepHash, pauses, walked, promotion } = steps;
  const canary = withoutUndefined({
    revision: steps.stableRevision,
    currentStepHookRun: stepRun,
    abortedRevision: steps.abortedRevision,
    releaseID: steps.releaseId,
    walkedSteps: walked === undefined ? undefined : listOrUndefined(walked),
    promotion: promotion === undefined ? undefined : withoutUndefined(promotion),
    retries: countOrUndefined(steps.retries),
    ignoredResumes: countOrUndefined(steps.ignoredResumes),
    resumeIgnored: steps.isResumeIgnored ? true : undefined,
    lastAct:
      act === undefined ? objectAt(snapshot.workload, 'status', 'canary', 'lastAct') : withoutUndefined(act),
  });
  return {
    currentStepIndex: stepIndex,
    currentStepHash: stepHash,
    canary: Object.keys(canary).length === 0 ? undefined : canary,
    pauseConditions: listOrUndefined(pauses),
    step: stepIndex === undefined ? undefined : stepText(stepIndex, spec.steps?.length ?? 0),
  };
}

const countOrUndefined = (count: number): number | undefined => (count === 0 ? undefined : count);

const stepText = (index: number, count: number): string => `${Math.min(index + 1, count)}/${count}`;
