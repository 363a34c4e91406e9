import type { PlanStep } from '#machines/decide/plan.ts';
import type { RehearsedTask } from '#rehearse/machines/operation-report.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';

/** The title of a step on a machine. One that it does for another machine names the other one: `drain of m2`. */
export function stepTitle(
  { id, title }: Pick<PlanStep, 'id' | 'title'>,
  node: string,
  names: readonly string[],
): string {
  const other = names.find((name) => name !== node && id.endsWith(`/${name}`));
  return other === undefined ? title : `${title} of ${other}`;
}

export const nodeNames = ({ prepared }: Pick<RehearsedOperation, 'prepared'>): readonly string[] =>
  prepared.declaration.cluster.nodes.map(({ name }) => name);

export const titledTasks = (
  tasks: readonly RehearsedTask[],
  names: readonly string[],
): readonly RehearsedTask[] =>
  tasks.map((task) => ({
    ...task,
    title: stepTitle({ id: task.step, title: task.title }, task.node, names),
  }));
