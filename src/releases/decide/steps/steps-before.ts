import { at, listAt, numberAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Promotion } from '#releases/kinds/release-history.ts';
import type { PauseCondition } from './pause.ts';
import type { StepsBefore } from './steps-model.ts';

/** The state of the steps in the status. */
export function stepsBefore(workload: KubeObject): StepsBefore {
  const text = (...path: readonly string[]): string | undefined => {
    const found = textAt(workload, 'status', ...path);
    return found === '' ? undefined : found;
  };
  const count = (name: string): number => numberAt(workload, 'status', 'canary', name) ?? 0;
  return {
    updateRevision: text('updateRevision'),
    stepIndex: numberAt(workload, 'status', 'currentStepIndex'),
    stepHash: text('currentStepHash'),
    walked: walkedOf(workload),
    releaseId: text('canary', 'releaseID'),
    stableRevision: text('canary', 'revision'),
    abortedRevision: text('canary', 'abortedRevision'),
    abortedBecause: abortedBecause(workload),
    pauses: pausesOf(workload),
    promotion: promotionOf(workload),
    retries: count('retries'),
    ignoredResumes: count('ignoredResumes'),
    isResumeIgnored: at(workload, 'status', 'canary', 'resumeIgnored') === true,
  };
}

const pausesOf = (workload: KubeObject): readonly PauseCondition[] =>
  listAt(workload, 'status', 'pauseConditions').map((each): PauseCondition => {
    const startTime = at(each, 'startTime');
    const reason = textAt(each, 'reason') ?? '';
    return typeof startTime === 'string' ? { reason, startTime } : { reason };
  });

function promotionOf(workload: KubeObject): Promotion | undefined {
  const path = ['status', 'canary', 'promotion'];
  const toStep = numberAt(workload, ...path, 'toStep');
  if (toStep === undefined) return undefined;
  return at(workload, ...path, 'skipHooks') === true ? { toStep, skipHooks: true } : { toStep };
}

function abortedBecause(workload: KubeObject): string | undefined {
  const [last] = listAt(workload, 'status', 'history');
  return textAt(last, 'outcome') === 'Aborted' ? textAt(last, 'message') : undefined;
}

/** Undefined when an older version of the controller wrote the status. */
function walkedOf(workload: KubeObject): readonly string[] | undefined {
  const walked = at(workload, 'status', 'canary', 'walkedSteps');
  return Array.isArray(walked) ? walked.filter((hash) => typeof hash === 'string') : undefined;
}
