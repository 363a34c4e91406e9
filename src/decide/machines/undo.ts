import { localNode, nodesOf, stepsOf, taskKey, turnOf, type Plan } from './plan.ts';
import type { Undo } from './plan-stages.ts';
import type { Progress } from './progress.ts';

/** What an operation itself has done to the nodes: all that a rollback may take back. */
export function undoOf(plan: Plan, progress: Progress, operation: string): Undo {
  const touched = new Set<string>();
  const made = new Set<string>();
  for (const step of stepsOf(plan))
    for (const { node } of step.targets) {
      const task = progress.tasks.get(taskKey(step.id, node));
      if (task === undefined || task.attempts === 0 || task.state === 'Waiting') continue;
      const { outcome } = task;
      const isUnchanged = outcome !== undefined && 'changed' in outcome && outcome.changed === false;
      if (isUnchanged || node === localNode) continue;
      if (step.kind === 'fetch') continue;
      touched.add(node);
      // Started at all: how far it came, the node knows.
      if (step.kind === 'install' && step.makes === true && task.fingerprint !== undefined) made.add(node);
    }
  return { operation, touched: [...touched], made: [...made] };
}

/** What the whole plan would have to take back. */
export const undoOfAll = (plan: Plan, operation: string): Undo => ({
  operation,
  touched: nodesOf(plan),
  made: stepsOf(plan).flatMap((step) =>
    step.kind === 'install' && step.makes === true ? step.targets.map(({ node }) => node) : [],
  ),
});

/** The tasks that begin again once these nodes are as they were before. */
export const undoneTasks = (plan: Plan, nodes: ReadonlySet<string>): readonly string[] =>
  stepsOf(plan).flatMap((step) =>
    step.targets.flatMap(({ node }) =>
      nodes.has(turnOf(step, node)) || nodes.has(node) ? [taskKey(step.id, node)] : [],
    ),
  );
