import { isJobStep, type JobStep, type PlanStep } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import { unseenTasks } from '#machines/decide/unread-results.ts';
import { unlessAborted } from '#base/unless-aborted.ts';
import { noteResult, type OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { askJobTask } from './run-job-task.ts';

/**
 * Scripts of this operation that may still run on a node, because the connection was lost and the operation went on:
 * nothing is started beside them. Returns undefined when they have ended, or why that is not known.
 */
export async function waitForUnseen(
  operationLog: OperationLog,
  session: NodeSession,
  next: PlanStep,
  signals: { readonly stop: AbortSignal; readonly hurry: AbortSignal },
): Promise<TaskOutcome | undefined> {
  const { node } = session;
  for (const { step, target, attempt } of unseenTasks(operationLog.plan, operationLog.progress(), node)) {
    if (step.id === next.id || !isJobStep(step)) continue;
    const message = `${step.title} may still run there: its result is read before ${next.title} starts.`;
    operationLog.emit({ type: 'notice', node, message });
    const task = { step, target, attempt, asks: true, stop: signals.stop };
    const outcome = await unlessAborted(askJobTask(operationLog, task, session, signals.hurry), signals.stop);
    if (outcome?.type === 'unreachable') return { ...outcome, launched: false };
    if (outcome === undefined || !isNoted(step, outcome)) continue;
    const log = operationLog.io.logFile({ step: step.id, node, attempt });
    await noteResult(operationLog, { step, node, attempt }, outcome, log);
  }
  return undefined;
}

/** Only where the operation goes on alike: with other policies the result would change what is done, and a retry reads it. */
const isNoted = ({ policy }: JobStep, { type }: TaskOutcome): boolean =>
  policy.onFailure === 'ignore' && (type === 'succeeded' || type === 'failed' || type === 'timedOut');
