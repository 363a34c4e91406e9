import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { GateStatus } from '#machines/kinds/operation-status.ts';
import type { Condition } from '#machines/decide/conditions.ts';
import { taskKey, type Plan } from '#machines/decide/plan.ts';
import type { Progress, TaskProgress } from '#machines/decide/progress.ts';
import type { Segment } from './segments.ts';

/** Conditions as an object has them, with newer ones in the place of those of the same type. */
export function mergeConditions(
  before: readonly Json[],
  changes: readonly Condition[],
  now: Instant,
): readonly JsonObject[] {
  const byType = new Map(before.map((each) => [textAt(each, 'type') ?? '', each as JsonObject]));
  for (const { type, status, reason, message } of changes) {
    const known = byType.get(type);
    const since = textAt(known, 'status') === status ? textAt(known, 'lastTransitionTime') : undefined;
    byType.set(type, {
      type,
      status,
      ...(reason !== '' && { reason }),
      ...(message !== '' && { message }),
      lastTransitionTime: since ?? formatTime(now),
    });
  }
  return [...byType.values()];
}

export const conditionsIn = (status: Json | undefined): readonly Json[] => listAt(status, 'conditions');

/** How the gates stand, by their names. */
export type GateView = {
  readonly states: ReadonlyMap<string, GateStatus>;
  readonly holds: ReadonlyMap<string, { readonly message: string; readonly isBad: boolean }>;
};

/** Questions count as steps: so that conditions speak of scripts and verdicts in the same words. */
export function withGates(progress: Progress, segments: readonly Segment[], view: GateView): Progress {
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

/** What is not done although it stands in the plan of TKEStack: `features.skipConditions`. */
export const skipped = (types: readonly string[]): readonly Condition[] =>
  types.map((type) => ({ type, status: 'True', reason: 'Skip', message: 'left out by skipConditions' }));

/** The first condition of the plan that is not met, where something that is no step has failed. */
export function firstOpen(plan: Plan, conditions: readonly Condition[]): string | undefined {
  const open = conditions.find(({ status }) => status !== 'True');
  return (
    open?.type ?? plan.stages.flatMap(({ steps }) => steps).find(({ condition }) => condition)?.condition
  );
}
