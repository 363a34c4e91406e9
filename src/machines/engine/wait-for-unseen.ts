import { isJobStep, stepsOf, type JobStep, type PlanStep, type TaskTarget } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import { unseenTasks, type UnreadTask } from '#machines/decide/unread-results.ts';
import { unlessAborted } from '#base/unless-aborted.ts';
import { askUnplanned } from './ask-unplanned.ts';
import { noteResult, type OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { askJobTask } from './run-job-task.ts';

type Signals = { readonly stop: AbortSignal; readonly hurry: AbortSignal };

/**
 * Scripts of this operation that may still run on a node, because the connection was lost and the operation went on, or
 * because its plan was made again without them: nothing is started beside them. Returns undefined when they have ended,
 * or why that is not known.
 */
export async function waitForUnseen(
  operationLog: OperationLog,
  session: NodeSession,
  next: PlanStep,
  signals: Signals,
): Promise<TaskOutcome | undefined> {
  const { node } = session;
  for (const task of unseenTasks(operationLog.progress(), node)) {
    const job = jobOf(operationLog, task);
    const title = job?.step.title ?? task.step;
    const message = `${title} may still run there: its result is read before ${next.title} starts.`;
    operationLog.emit({ type: 'notice', node, message });
    const outcome =
      job === undefined
        ? await readUnplanned(operationLog, task, session, signals)
        : await readJob(operationLog, { ...job, attempt: task.attempt }, session, signals);
    if (outcome?.type === 'unreachable') return { ...outcome, launched: false };
  }
  return undefined;
}

type PlannedJob = { readonly step: JobStep; readonly target: TaskTarget; readonly isElsewhere: boolean };

/** The step of this plan, or of the part of the operation that has it. */
function jobOf({ plan, whole }: OperationLog, { step: id, node }: UnreadTask): PlannedJob | undefined {
  for (const each of [plan, whole]) {
    const step = stepsOf(each).find((one) => one.id === id);
    const target = step?.targets.find((one) => one.node === node);
    if (step !== undefined && target !== undefined && isJobStep(step))
      return { step, target, isElsewhere: each !== plan };
  }
  return undefined;
}

async function readJob(
  operationLog: OperationLog,
  { step, target, attempt, isElsewhere }: PlannedJob & { readonly attempt: number },
  session: NodeSession,
  { stop, hurry }: Signals,
): Promise<TaskOutcome | undefined> {
  const { node } = session;
  const task = { step, target, attempt, asks: true, stop };
  const outcome = await unlessAborted(askJobTask(operationLog, task, session, hurry), stop);
  if (outcome === undefined || !hasEnd(outcome)) return outcome;
  // With other policies the result would change what is done now, and a retry reads it.
  if (!isElsewhere && step.policy.onFailure !== 'ignore') return outcome;
  const log = operationLog.io.logFile({ step: step.id, node, attempt });
  await noteResult(operationLog, { step, node, attempt }, outcome, log);
  return outcome;
}

const hasEnd = ({ type }: TaskOutcome): boolean =>
  type === 'succeeded' || type === 'failed' || type === 'timedOut';

/** Nothing else will ask for the result, so whatever became of it is recorded. */
async function readUnplanned(
  operationLog: OperationLog,
  { step, node, attempt }: UnreadTask,
  session: NodeSession,
  { stop, hurry }: Signals,
): Promise<TaskOutcome> {
  const asked = askUnplanned(operationLog, { step, attempt }, session, hurry);
  const outcome = await unlessAborted(asked, stop);
  if (outcome.type === 'unreachable') return outcome;
  await operationLog.record({ type: 'result', step, node, attempt, outcome });
  const said = 'message' in outcome ? outcome.message : `${step} has succeeded.`;
  operationLog.emit({ type: 'notice', node, message: said });
  return outcome;
}
