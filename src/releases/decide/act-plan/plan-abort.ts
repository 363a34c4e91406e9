import { textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { actTargetOf } from '#releases/model/act.ts';
import { command, nothing, refused, type ActOptions, type ActPlan } from './act-plan.ts';
import { currentStep, stepsOf, stepText, type KnownSituation } from './situation.ts';

/** abort: pods go back to the stable revision. */
export function planAbort(workload: KubeObject, options: ActOptions, situation: KnownSituation): ActPlan {
  const { title } = options;
  const stable = textAt(workload, 'status', 'canary', 'revision') ?? '';
  switch (situation.type) {
    case 'without-steps':
      return refused(
        `${title} has no canary steps, so it has no stable revision to return to; to set the template back, use: ${command('undo', options)}`,
      );
    case 'aborted':
      return nothing(`the release of ${title} was aborted already: its pods go back to ${situation.stable}`);
    case 'done':
      return refused(
        `all ${stepsOf(workload).length} steps of ${title} are done, so there is no release to abort; to set the template back, use: ${command('undo', options)}`,
      );
    case 'paused-by-user':
    case 'pause-step':
    case 'failed-hook':
    case 'unready':
    case 'hook-running':
    case 'updating':
      return {
        type: 'write',
        change: { type: 'act', verb: 'abort', target: actTargetOf(workload) },
        summary: `abort the release at ${stepText(workload, currentStep(workload))} and return to ${stable}`,
      };
  }
}
