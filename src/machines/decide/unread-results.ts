import { taskOfKey } from './plan.ts';
import type { OperationProgress, TaskProgress } from './progress.ts';

/** A script of the operation that may run on a node, or has a result there that nobody has read. */
export type UnreadTask = { readonly step: string; readonly node: string; readonly attempt: number };

/**
 * All that may run on a node, of any plan of the operation: one that is made again after an edit may lack the step, and
 * a segment has only its own.
 */
function unreadTasks(
  { tasks }: OperationProgress,
  node: string,
): readonly (UnreadTask & { readonly task: TaskProgress })[] {
  return [...tasks].flatMap(([key, task]) => {
    const place = taskOfKey(key);
    const isUnread = task.state === 'Launched' || isOutOfSight(task);
    return place.node === node && isUnread ? [{ ...place, attempt: task.attempts, task }] : [];
  });
}

/** Whether a node may have the result of a script that nobody has read: it must find it again. */
export const hasUnreadResult = (progress: OperationProgress, node: string): boolean =>
  unreadTasks(progress, node).length > 0;

/** Tasks whose script may still run on a node although nobody follows it. */
export const unseenTasks = (progress: OperationProgress, node: string): readonly UnreadTask[] =>
  unreadTasks(progress, node)
    .filter(({ task }) => !task.live)
    .map(({ step, attempt }) => ({ step, node, attempt }));

const isOutOfSight = ({ state, outcome }: TaskProgress): boolean =>
  state === 'Unreachable' && outcome?.type === 'unreachable' && outcome.launched;
