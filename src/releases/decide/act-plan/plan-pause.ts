import { at, listAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { command, nothing, refused, stillWaiting, type ActOptions, type ActPlan } from './act-plan.ts';
import { currentStep, situationOf, stepText } from './situation.ts';

/** pause: sets a user's own pause. During the pause of a step there is none beside it. */
export function planPause(workload: KubeObject, options: ActOptions): ActPlan {
  const { title } = options;
  const step = stepText(workload, currentStep(workload));
  const situation = situationOf(workload);
  if (situation.type === 'failed-hook')
    return nothing(
      `${title} is paused at ${step} already, as its hook failed; it continues only after: ${command('promote', options)}`,
    );
  if (situation.type === 'pause-step')
    return situation.until === undefined
      ? nothing(
          `${title} is paused at ${step} already and continues only after: ${command('promote', options)}`,
        )
      : refused(
          `${step} of ${title} pauses until ${situation.until} and continues by itself then; a pause of your own can be set after that, or use: ${command('abort', options)}`,
        );
  if (isPausedInSpec(workload)) return nothing(`a user has paused ${title} already`);
  return write(workload, true, `pause ${title} until ${command('resume', options)}`);
}

/** resume: lifts a user's own pause, and no other one. */
export function planResume(workload: KubeObject, options: ActOptions): ActPlan {
  const { title } = options;
  const step = stepText(workload, currentStep(workload));
  const situation = situationOf(workload);
  switch (situation.type) {
    case 'pause-step': {
      const until = situation.until === undefined ? '' : ` until ${situation.until}`;
      const message = `${title} is paused by ${step}${until}, not by a user; to end that pause, use: ${command('promote', options)}`;
      return situation.until === undefined ? stillWaiting(message) : nothing(message);
    }
    case 'failed-hook':
      return stillWaiting(
        `${title} is paused as the hook of ${step} failed; to continue without it, use: ${command('promote', options)}; to run it again, use: ${command('retry', options)}`,
      );
    default:
      return isPausedInSpec(workload)
        ? write(workload, false, `end the pause of ${title}`)
        : nothing(`${title} is not paused`);
  }
}

const isPausedInSpec = (workload: KubeObject): boolean =>
  at(workload, 'spec', 'updateStrategy', 'paused') === true;

/** Whether the status says that a user has paused it. */
export const isPausedByUser = (workload: KubeObject): boolean =>
  listAt(workload, 'status', 'pauseConditions').some((each) => textAt(each, 'reason') === 'PausedByUser');

const write = (workload: KubeObject, paused: boolean, summary: string): ActPlan => ({
  type: 'write',
  change: { type: 'paused', paused, revision: textAt(workload, 'status', 'updateRevision') ?? '' },
  summary,
});
