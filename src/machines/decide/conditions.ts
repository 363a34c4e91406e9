import type { Condition } from '#kube/conditions.ts';
import type { OperationKind } from './model.ts';
import { stepsOf, taskKey, type MachinePlan } from './plan.ts';
import type { TaskOutcome, OperationProgress, TaskState } from './progress.ts';
import { taskStates } from './verdict.ts';

const longest = 1024;

const failureReasons: Readonly<Record<OperationKind, string>> = {
  bootstrap: 'FailedInit',
  'cluster.create': 'FailedInit',
  'node.join': 'FailedInit',
  'cluster.upgrade': 'FailedUpdate',
  'node.upgrade': 'FailedUpdate',
  'cluster.delete': 'FailedDelete',
  'node.delete': 'FailedDelete',
};

export const failureReason = (kind: OperationKind): string => failureReasons[kind];

/** One condition per condition type of the plan's steps, in the order of the plan. */
export function conditionsOf(plan: MachinePlan, progress: OperationProgress): readonly Condition[] {
  const stateOf = taskStates(plan, progress);
  const byType = new Map<string, TaskView[]>();
  for (const step of stepsOf(plan)) {
    if (step.condition === undefined) continue;
    const tasks = byType.get(step.condition) ?? [];
    byType.set(step.condition, tasks);
    for (const { node } of step.targets) {
      const { outcome, failures = 0 } = progress.tasks.get(taskKey(step.id, node)) ?? {};
      tasks.push({ state: stateOf(step, node), outcome, failures });
    }
  }
  return [...byType].map(([type, tasks]) => ({ type, ...judge(tasks, failureReason(plan.operation)) }));
}

type TaskView = {
  readonly state: TaskState;
  readonly outcome: TaskOutcome | undefined;
  readonly failures: number;
};

const failed: ReadonlySet<TaskState> = new Set(['Failed', 'TimedOut', 'Unreachable', 'Unknown']);

function judge(tasks: readonly TaskView[], failure: string): Omit<Condition, 'type'> {
  // A step that is tried again is still reported as failed.
  const bad = tasks.find(({ state, failures }) => failed.has(state) || failures > 0);
  if (bad !== undefined) {
    const message = bad.outcome !== undefined && 'message' in bad.outcome ? bad.outcome.message : '';
    return { status: 'False', reason: failure, message: message.slice(0, longest) };
  }
  if (tasks.every(({ state }) => state === 'Skipped')) return { status: 'True', reason: 'Skip', message: '' };
  if (tasks.every(({ state }) => state === 'Succeeded' || state === 'Skipped'))
    return { status: 'True', reason: '', message: '' };
  return { status: 'Unknown', reason: 'Waiting', message: 'waiting to be executed' };
}
