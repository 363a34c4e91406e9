import { later, type Instant } from '#base/time.ts';
import { isJobStep, pauseAfter, taskKey, type PlanStep } from './plan.ts';
import type { OperationProgress, TaskProgress, TaskState } from './progress.ts';

/** The state of a task for the planning of further tasks. */
export type TaskStanding =
  | { readonly type: 'ready' }
  /** Started by a process that has ended: the result is read from the node. */
  | { readonly type: 'lost' }
  | { readonly type: 'busy' }
  /** Failed at `since`; retried from `until` on. `ask`: it may be running, so the node is read first. */
  | { readonly type: 'paused'; readonly since: Instant; readonly until: Instant; readonly ask: boolean }
  | { readonly type: 'done' }
  /** Failed, and its policy continues. */
  | { readonly type: 'ignored' }
  /** Its node is out of the operation. */
  | { readonly type: 'isolated' }
  /** Failed, and nothing further may start. */
  | { readonly type: 'fatal' };

export function standingOf(step: PlanStep, node: string, progress: OperationProgress): TaskStanding {
  const task = progress.tasks.get(taskKey(step.id, node));
  if (task === undefined) return { type: 'ready' };
  if (task.live) return { type: 'busy' };
  if (task.state === 'Launched') return isJobStep(step) ? { type: 'lost' } : { type: 'ready' };
  if (unstarted.has(task.state)) return { type: 'ready' };
  if (task.state === 'Succeeded' || task.state === 'Skipped') return { type: 'done' };
  const unknown = task.state === 'Unknown';
  if (unknown && step.policy.onUnknown === 'rerun') return { type: 'ready' };
  return afterFailure(step, task, unknown);
}

const unstarted: ReadonlySet<TaskState> = new Set(['Waiting', 'Staging', 'Cancelled']);

export const isSettled = ({ type }: TaskStanding): boolean =>
  type === 'done' || type === 'ignored' || type === 'isolated';

/** The pause is over, or the clock was set back since: nobody waits until it has caught up. */
export const isPauseOver = (
  { since, until }: Extract<TaskStanding, { readonly type: 'paused' }>,
  now: Instant,
): boolean => until <= now || now < since;

function afterFailure(step: PlanStep, task: TaskProgress, unknown: boolean): TaskStanding {
  switch (step.policy.onFailure) {
    case 'ignore':
      return { type: 'ignored' };
    case 'isolate-node':
      return { type: 'isolated' };
    case 'abort':
      return { type: 'fatal' };
    case 'retry':
      if (unknown || isPermanent(task) || task.failures > (step.policy.retry.max ?? Infinity))
        return { type: 'fatal' };
      return {
        type: 'paused',
        since: task.since,
        until: later(task.since, pauseAfter(step.policy, task.failures)),
        ask: task.outcome?.type === 'unreachable' && task.outcome.launched,
      };
  }
}

const isPermanent = ({ outcome }: TaskProgress): boolean =>
  outcome?.type === 'failed' && outcome.permanent === true;
