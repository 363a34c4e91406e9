import { isJobStep, stepsOf, type JobStep, type PlanStep, type TaskTarget } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import { unseenTasks, type UnreadTask } from '#machines/decide/unread-results.ts';
import { unlessAborted } from '#base/unless-aborted.ts';
import { askUnplanned } from './ask-unplanned.ts';
import { noteResult, type OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { askJobTask, jobName } from './run-job-task.ts';

export type FollowSignals = {
  /** Aborted: what runs is being ended, and nothing more is started. */
  readonly stop: AbortSignal;
  readonly hurry: AbortSignal;
  /** Receives the job that is waited for, so that a cancellation ends that one; undefined: none any more. */
  readonly follow: (job: string | undefined) => void;
};

/**
 * Scripts of this operation that may still run on a node, because the connection was lost and the operation went on, or
 * because its plan was made again without them: nothing is started beside them. Returns undefined when they have ended,
 * or why that is not known.
 */
export async function waitForUnseen(
  operationLog: OperationLog,
  session: NodeSession,
  next: PlanStep,
  signals: FollowSignals,
): Promise<TaskOutcome | undefined> {
  const { node } = session;
  for (const task of unseenTasks(operationLog.progress(), node)) {
    signals.stop.throwIfAborted();
    const job = jobOf(operationLog, task);
    const name = jobName(task.step, task.attempt);
    const title = job?.step.title ?? task.step;
    const message =
      `${title} may still run there: its result is read before ${next.title} starts. ` +
      `To end it there: ${session.machine().endCommand(name)}`;
    operationLog.emit({ type: 'notice', node, message });
    signals.follow(name);
    const outcome =
      job === undefined
        ? await readUnplanned(operationLog, task, session, signals)
        : await readJob(operationLog, { ...job, attempt: task.attempt }, session, signals);
    signals.follow(undefined);
    if (outcome?.type === 'unreachable') return { ...outcome, launched: false };
  }
  // The last one may have ended because the operation is cancelled.
  signals.stop.throwIfAborted();
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
  { stop, hurry }: FollowSignals,
): Promise<TaskOutcome | undefined> {
  const { node } = session;
  const task = { step, target, attempt, asks: true, stop };
  const outcome = await unlessAborted(askJobTask(operationLog, task, session, hurry), hurry);
  if (outcome === undefined || outcome.type === 'unreachable') return outcome;
  if (!stop.aborted && !hasEnd(outcome)) return outcome;
  // With other policies the result would change what is done now, and a retry reads it.
  if (!stop.aborted && !isElsewhere && step.policy.onFailure !== 'ignore') return outcome;
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
  { hurry }: FollowSignals,
): Promise<TaskOutcome> {
  const asked = askUnplanned(operationLog, { step, attempt }, session, hurry);
  const outcome = await unlessAborted(asked, hurry);
  if (outcome.type === 'unreachable') return outcome;
  await operationLog.record({ type: 'result', step, node, attempt, outcome });
  const said = 'message' in outcome ? outcome.message : `${step} has succeeded.`;
  operationLog.emit({ type: 'notice', node, message: said });
  return outcome;
}
