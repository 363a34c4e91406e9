import { stepsOf, taskKey, type MachinePlan } from './plan.ts';
import type { OperationProgress } from './progress.ts';

/** Whether a node may have the result of a script that nobody has read: it must find it again. */
export const hasUnreadResult = (plan: MachinePlan, progress: OperationProgress, node: string): boolean =>
  stepsOf(plan).some((step) => {
    if (!step.targets.some((target) => target.node === node)) return false;
    const task = progress.tasks.get(taskKey(step.id, node));
    if (task?.state === 'Launched') return true;
    return task?.state === 'Unreachable' && task.outcome?.type === 'unreachable' && task.outcome.launched;
  });
