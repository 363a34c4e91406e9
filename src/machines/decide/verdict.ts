import { isDoomed, isolatedNodes, isOut } from './next-actions.ts';
import { nodesOf, stepsOf, taskKey, type MachinePlan, type PlanStep } from './plan.ts';
import type { OperationState, TaskOutcome, OperationProgress, TaskState } from './progress.ts';
import { standingOf } from './task-standing.ts';

export type TaskFailure = { readonly step: PlanStep; readonly node: string; readonly outcome: TaskOutcome };

export type OperationVerdict = {
  readonly state: OperationState;
  /** Failures that ended or hold the operation. */
  readonly failures: readonly TaskFailure[];
  /** Failures that the policy ignores: a warning each. */
  readonly ignored: readonly TaskFailure[];
  /** Nodes that are out, with the reason. */
  readonly isolated: ReadonlyMap<string, string>;
  readonly done: number;
  readonly total: number;
};

/** The state of the operation. Only the engine sets `Cancelled` and `Interrupted`: they do not follow from a plan. */
export function verdictOf(plan: MachinePlan, progress: OperationProgress): OperationVerdict {
  const isolated = isolatedNodes(plan, progress);
  const count = { ready: 0, lost: 0, busy: 0, paused: 0, done: 0, ignored: 0, isolated: 0, fatal: 0 };
  const failures: TaskFailure[] = [];
  const ignored: TaskFailure[] = [];
  for (const step of stepsOf(plan))
    for (const { node } of step.targets) {
      const standing = standingOf(step, node, progress);
      const outcome = progress.tasks.get(taskKey(step.id, node))?.outcome;
      const out = isOut(isolated, step, node) && standing.type !== 'busy' && standing.type !== 'done';
      count[out ? 'isolated' : standing.type] += 1;
      if (outcome === undefined) continue;
      if (standing.type === 'ignored') ignored.push({ step, node, outcome });
      else if (standing.type === 'fatal' || standing.type === 'paused' || standing.type === 'isolated')
        failures.push({ step, node, outcome });
    }
  const total = Object.values(count).reduce((sum, each) => sum + each, 0);
  const done = count.done + count.ignored + count.isolated;
  return { state: stateOf(plan, progress, count), failures, ignored, isolated, done, total };
}

type Counts = Readonly<Record<ReturnType<typeof standingOf>['type'], number>>;

function stateOf(plan: MachinePlan, progress: OperationProgress, count: Counts): OperationState {
  if (count.busy > 0) return 'Running';
  if (isDoomed(plan, progress)) return 'Failed';
  if (count.paused > 0) return 'Blocked';
  if (count.ready + count.lost > 0) return 'Running';
  const out = isolatedNodes(plan, progress);
  if (out.size === 0) return 'Succeeded';
  return nodesOf(plan).every((node) => out.has(node)) ? 'Failed' : 'PartlySucceeded';
}

/** The state of each task as people see it: a task that will never run is Skipped. */
export function taskStates(
  plan: MachinePlan,
  progress: OperationProgress,
): (step: PlanStep, node: string) => TaskState {
  const isolated = isolatedNodes(plan, progress);
  return (step, node) => {
    const state = progress.tasks.get(taskKey(step.id, node))?.state ?? 'Waiting';
    if (state !== 'Waiting') return state;
    return isOut(isolated, step, node) ? 'Skipped' : 'Waiting';
  };
}

/** 0 success, 1 failure, 2 permanent failure, 4 partial success, 5 unreachable, 130 cancelled. */
export function exitCodeOf({ state, failures, ignored }: OperationVerdict, strict: boolean): number {
  if (state === 'Succeeded') return strict && ignored.length > 0 ? 4 : 0;
  if (state === 'PartlySucceeded') return 4;
  if (state === 'Cancelled' || state === 'Interrupted') return 130;
  const every = (fits: (outcome: TaskOutcome) => boolean): boolean =>
    failures.length > 0 && failures.every(({ outcome }) => fits(outcome));
  if (every(({ type }) => type === 'unreachable')) return 5;
  return every((outcome) => outcome.type === 'failed' && outcome.permanent === true) ? 2 : 1;
}
