import type { Json } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { GateStatus } from '#machines/kinds/operation-status.ts';
import { setCondition, type Condition } from '#kube/conditions.ts';
import { taskKey, type MachinePlan } from '#machines/decide/plan.ts';
import type { OperationProgress, TaskProgress } from '#machines/decide/progress.ts';
import type { Segment } from './segments.ts';

/** Sets conditions; an empty reason or message is left out. */
export const mergeConditions = (
  before: readonly Json[],
  changes: readonly Condition[],
  now: Instant,
): readonly Json[] =>
  changes.reduce((known, { type, status, reason, message }) => {
    const condition = { type, status, ...(reason !== '' && { reason }), ...(message !== '' && { message }) };
    return setCondition(known, condition, now);
  }, before);

/** The state of the gates by name, and why they hold the operation. */
export type GateView = {
  readonly states: ReadonlyMap<string, GateStatus>;
  readonly holds: ReadonlyMap<string, { readonly message: string; readonly isBad: boolean }>;
};

/** Gates count as tasks of their steps: so their verdicts appear in conditions as results of scripts do. */
export function withGates(
  progress: OperationProgress,
  segments: readonly Segment[],
  view: GateView,
): OperationProgress {
  const gates = segments.flatMap((segment) => (segment.type === 'gates' ? segment.gates : []));
  if (gates.length === 0) return progress;
  const tasks = new Map(progress.tasks);
  for (const { name, step, node } of gates) {
    const hold = view.holds.get(name);
    if (view.states.get(name)?.state === 'Passed')
      tasks.set(taskKey(step, node), { ...blank, state: 'Succeeded' });
    else if (hold?.isBad === true)
      tasks.set(taskKey(step, node), {
        ...blank,
        state: 'Failed',
        failures: 1,
        outcome: { type: 'failed', message: hold.message },
      });
  }
  return { ...progress, tasks };
}

const blank: TaskProgress = { state: 'Waiting', attempts: 1, failures: 0, since: 0 as Instant, live: false };

/** Conditions of steps that `features.skipConditions` leaves out. */
export const skipped = (types: readonly string[]): readonly Condition[] =>
  types.map((type) => ({ type, status: 'True', reason: 'Skip', message: 'skipped by skipConditions' }));

/** The first condition of the plan that is not True: it shows a failure that belongs to no step. */
export function firstOpen(plan: MachinePlan, conditions: readonly Condition[]): string | undefined {
  const open = conditions.find(({ status }) => status !== 'True');
  return (
    open?.type ?? plan.stages.flatMap(({ steps }) => steps).find(({ condition }) => condition)?.condition
  );
}
