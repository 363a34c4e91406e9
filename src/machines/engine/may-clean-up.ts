import { hasUnreadResult } from '#machines/decide/unread-results.ts';
import { verdictOf } from '#machines/decide/verdict.ts';
import type { OperationLog } from './operation-log.ts';

/**
 * Whether the folder of the operation on a node can go when it is over. A result that was not read stays where it is: a
 * retry reads it, or a later part, and does not run the script again. After a success of all parts nobody reads it. The
 * node itself keeps what still runs.
 */
export function mayCleanUp({ plan, whole, progress }: OperationLog, node: string): boolean {
  const isDone = (each: typeof plan): boolean => verdictOf(each, progress()).state === 'Succeeded';
  return !hasUnreadResult(progress(), node) || (isDone(plan) && isDone(whole));
}
