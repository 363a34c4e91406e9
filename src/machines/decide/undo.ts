import { isolatedNodes } from './next-actions.ts';
import { localNode, nodesOf, stepsOf, taskKey, turnOf, type MachinePlan } from './plan.ts';
import type { Undo } from './plan-stages.ts';
import type { OperationProgress, TaskProgress } from './progress.ts';
import { standingOf } from './task-standing.ts';

/** What an operation itself has done to the nodes: all that a rollback may take back. */
export function undoOf(plan: MachinePlan, progress: OperationProgress, operation: string): Undo {
  const touched = new Set<string>();
  const made = new Set<string>();
  for (const step of stepsOf(plan))
    for (const { node } of step.targets) {
      const task = progress.tasks.get(taskKey(step.id, node));
      if (step.kind === 'fetch' || node === localNode || !hasChanged(task)) continue;
      touched.add(node);
      // Started; only the node has its progress.
      if (step.kind === 'install' && step.makes === true && task?.fingerprint !== undefined) made.add(node);
    }
  return { operation, touched: [...touched], made: [...made] };
}

/** Begun, and not known to have left everything as it was. One that waits for a retry has what it began. */
function hasChanged(task: TaskProgress | undefined): boolean {
  if (task === undefined || task.attempts === 0) return false;
  const { outcome, state, fingerprint } = task;
  if (state === 'Waiting') return fingerprint !== undefined;
  return outcome === undefined || !('changed' in outcome) || outcome.changed;
}

/** What the whole plan would have to take back. */
export const undoOfAll = (plan: MachinePlan, operation: string): Undo => ({
  operation,
  touched: nodesOf(plan),
  made: stepsOf(plan).flatMap((step) =>
    step.kind === 'install' && step.makes === true ? step.targets.map(({ node }) => node) : [],
  ),
});

/**
 * The nodes that must be set up again after a rollback: what it had to do there is done, whatever happened to them later,
 * or was begun with an end that nobody saw, or failed on the way. A node where it only runs hooks counts unless it was
 * left out.
 */
export function undoneNodes(
  rollback: MachinePlan,
  progress: OperationProgress,
  { touched }: Pick<Undo, 'touched'>,
): ReadonlySet<string> {
  const isolated = isolatedNodes(rollback, progress);
  const installs = stepsOf(rollback).filter(({ kind }) => kind === 'install');
  return new Set(
    touched.filter((node) => {
      const own = installs.filter(({ targets }) => targets.some((target) => target.node === node));
      if (own.length === 0) return !isolated.has(node);
      const isDone = own.every((step) => standingOf(step, node, progress).type === 'done');
      return isDone || own.some(({ id }) => mayHaveRun(progress.tasks.get(taskKey(id, node))));
    }),
  );
}

/** Started, and not known to have left everything as it was. */
function mayHaveRun(task: TaskProgress | undefined): boolean {
  if (task?.fingerprint === undefined || !hasChanged(task)) return false;
  const { outcome, attempts } = task;
  return attempts > 1 || outcome?.type !== 'unreachable' || outcome.launched;
}

/** The tasks that begin again once these nodes are as they were before. */
export const undoneTasks = (plan: MachinePlan, nodes: ReadonlySet<string>): readonly string[] =>
  stepsOf(plan).flatMap((step) =>
    step.targets.flatMap(({ node }) =>
      nodes.has(turnOf(step, node)) || nodes.has(node) ? [taskKey(step.id, node)] : [],
    ),
  );
