import { formatTime } from '#base/time.ts';
import { nextAttempt } from '#machines/decide/next-actions.ts';
import { isJobStep, stepsOf, type TaskTarget } from '#machines/decide/plan.ts';
import { withoutOperator } from '#machines/decide/progress.ts';
import { isSettled, standingOf } from '#machines/decide/task-standing.ts';
import type { LeftJob } from '#edge/ssh/left-job.ts';
import { unlessAborted } from '#base/unless-aborted.ts';
import { leftText } from './left-text.ts';
import type { OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { jobName, outputOf, type JobTask } from './run-job-task.ts';

/** Without `stop`: the job belongs to another operation. */
type LeftTask = Omit<JobTask, 'stop'>;

/**
 * Scripts that another operation left running on a node: no second one is started beside them. One that this operation
 * has to run too is waited for, and its success is adopted. For any other job the function returns what runs, and how to
 * end it.
 */
export async function waitForLeft(
  operationLog: OperationLog,
  session: NodeSession,
  left: readonly LeftJob[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const known = left.map((job) => ({ job, task: taskFor(operationLog, session, job) }));
  const other = known.find(({ task }) => task === undefined);
  if (other !== undefined) return leftText(session.node, other.job);
  for (const { job, task } of known) {
    const isFollowed = task === undefined || (await waitFor(operationLog, session, { job, task }, signal));
    if (!isFollowed) return leftText(session.node, job);
  }
  return undefined;
}

/** The very same script for this node, which this operation has still to run. */
function taskFor(operationLog: OperationLog, session: NodeSession, job: LeftJob): LeftTask | undefined {
  if (!session.machine().isOwn(job) || job.fingerprint === undefined) return undefined;
  const step = stepsOf(operationLog.plan).find(({ id }) => id === job.step);
  if (step === undefined || !isJobStep(step)) return undefined;
  const target = step.targets.find(({ node }: TaskTarget) => node === session.node);
  const progress = withoutOperator(operationLog.progress());
  if (target?.fingerprint !== job.fingerprint || isSettled(standingOf(step, session.node, progress)))
    return undefined;
  return { step, target, attempt: nextAttempt(step, target, progress), asks: true };
}

/** False: it may still run, although the machine answers. */
async function waitFor(
  operationLog: OperationLog,
  session: NodeSession,
  { job, task }: { readonly job: LeftJob; readonly task: LeftTask },
  signal: AbortSignal,
): Promise<boolean> {
  const say = (message: string): void => operationLog.emit({ type: 'notice', node: session.node, message });
  const { step, attempt } = task;
  const about = {
    node: session.node,
    log: operationLog.io.logFile({ step: step.id, node: session.node, attempt }),
  };
  const { operation, since, pid } = job;
  say(
    `${step.title} is still running there, process ${pid} since ${formatTime(since)}, left by operation ` +
      `${operation}: waiting for its end.`,
  );
  const machine = session.machine();
  const end = await unlessAborted(machine.askLeft(job, outputOf(operationLog, task, about), signal), signal);
  if (end.type === 'given-up') {
    say(end.message);
    return false;
  }
  if (end.type !== 'exited' || end.code !== 0) {
    say(`${step.title} of operation ${operation} has ended.`);
    return true;
  }
  const adopted = await machine.adoptLeft(job, jobName(step.id, attempt), signal);
  say(
    adopted.type === 'done'
      ? `${step.title} of operation ${operation} has succeeded, and is not run again.`
      : `${step.title} of operation ${operation} has succeeded.`,
  );
  return true;
}
