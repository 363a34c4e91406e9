import { textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { actTargetOf } from '#releases/model/act.ts';
import { command, nothing, refused, stillWaiting, type ActOptions, type ActPlan } from './act-plan.ts';
import { currentStep, stepText, type KnownSituation } from './situation.ts';

/** retry: runs a failed hook again, or restarts an aborted release at step 1. */
export function planRetry(workload: KubeObject, options: ActOptions, situation: KnownSituation): ActPlan {
  const { title } = options;
  const step = stepText(workload, currentStep(workload));
  const write = (summary: string): ActPlan => ({
    type: 'write',
    change: { type: 'act', verb: 'retry', target: actTargetOf(workload) },
    summary,
  });
  switch (situation.type) {
    case 'failed-hook':
      return write(`run the failed hook of ${step} again`);
    case 'aborted':
      return write(`start the aborted release again at ${stepText(workload, 0)}`);
    case 'hook-running':
      return nothing(`the hook of ${step} of ${title} is running already`);
    case 'pause-step':
      return stillWaiting(
        `${title} is paused by ${step}, and no hook of it has failed; to end the pause, use: ${command('promote', options)}`,
      );
    case 'paused-by-user':
      return stillWaiting(
        `a user has paused ${title}, and no hook of a step has failed; to end the pause, use: ${command('resume', options)}`,
      );
    case 'without-steps':
    case 'done':
    case 'unready':
    case 'updating':
      return refused(
        `${title} has no failed hook of a step and no aborted release, so there is nothing to retry${stateOf(workload)}`,
      );
  }
}

function stateOf(workload: KubeObject): string {
  const message = textAt(workload, 'status', 'message') ?? '';
  return message === '' ? '' : `. Its state: ${message}`;
}
