import { stepsOf, taskKey, type MachinePlan, type PlanStep, type TaskTarget } from './plan.ts';
import type { OperationProgress, TaskProgress } from './progress.ts';

/** Whether a node may have the result of a script that nobody has read: it must find it again. */
export const hasUnreadResult = (plan: MachinePlan, progress: OperationProgress, node: string): boolean =>
  tasksOn(plan, progress, node).some(({ task }) => task.state === 'Launched' || isOutOfSight(task));

type UnseenTask = { readonly step: PlanStep; readonly target: TaskTarget; readonly attempt: number };

/** Tasks whose script may still run on a node, although the operation goes on without its result. */
export const unseenTasks = (
  plan: MachinePlan,
  progress: OperationProgress,
  node: string,
): readonly UnseenTask[] =>
  tasksOn(plan, progress, node)
    .filter(({ task }) => isOutOfSight(task))
    .map(({ step, target, task }) => ({ step, target, attempt: task.attempts }));

type TaskOn = { readonly step: PlanStep; readonly target: TaskTarget; readonly task: TaskProgress };

const tasksOn = (plan: MachinePlan, progress: OperationProgress, node: string): readonly TaskOn[] =>
  stepsOf(plan).flatMap((step) => {
    const target = step.targets.find((each) => each.node === node);
    const task = progress.tasks.get(taskKey(step.id, node));
    return target === undefined || task === undefined ? [] : [{ step, target, task }];
  });

const isOutOfSight = ({ state, outcome }: TaskProgress): boolean =>
  state === 'Unreachable' && outcome?.type === 'unreachable' && outcome.launched;
