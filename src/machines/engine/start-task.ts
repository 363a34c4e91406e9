import type { NextAction } from '#machines/decide/next-actions.ts';
import { isJobStep } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import type { EngineRun, Running } from './engine-run.ts';
import { noteResult, type OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { jobName, runJobTask } from './run-job-task.ts';
import { runSimply } from './run-task.ts';
import { UnwrittenRecord } from './unwritten-record.ts';
import { waitForUnseen, type FollowSignals } from './wait-for-unseen.ts';

type Engine = Pick<EngineRun, 'running' | 'hurry' | 'isTaken' | 'broken' | 'wake'> & {
  readonly sessions: ReadonlyMap<string, NodeSession>;
};

/**
 * Starts a task. The start is recorded at once, so that the next decision does not start it again. A record that cannot
 * be written ends the run.
 */
export function startTask(operationLog: OperationLog, engineRun: Engine, action: NextAction): void {
  const { type, step, target, attempt } = action;
  const { node } = target;
  const task = { step, node, attempt };
  const begun = operationLog.record({
    type: type === 'ask' ? 'asked' : 'staging',
    step: step.id,
    node,
    attempt,
  });
  const state = type === 'ask' ? 'Launched' : 'Staging';
  operationLog.emit({ type: 'task', step: step.id, title: step.title, node, state, attempt });
  const session = engineRun.sessions.get(node);
  if (session === undefined) throw new Error(`${node} was never connected.`);
  const isJob = isJobStep(step);
  const { stop, release } = stoppedBy(engineRun.hurry.signal);
  const own = isJob ? jobName(step.id, attempt) : undefined;
  let followed = own;
  const follow = (job: string | undefined): void => void (followed = job ?? own);
  const work = async (): Promise<void> => {
    await begun;
    const signals = { stop: stop.signal, hurry: engineRun.hurry.signal, follow };
    const outcome = await perform(operationLog, action, session, signals).catch((error: unknown) =>
      brokenOff(error, stop.signal, node),
    );
    // After a takeover the new operator records the outcome.
    if (engineRun.isTaken() !== undefined) return;
    await noteResult(
      operationLog,
      task,
      outcome,
      isJob ? operationLog.io.logFile({ ...task, step: step.id }) : undefined,
    );
  };
  const running: Running = { session, job: () => followed, stop, ended: work() };
  engineRun.running.add(running);
  const end = (): void => {
    engineRun.running.delete(running);
    release();
    engineRun.wake();
  };
  running.ended.then(end, (error: unknown) => {
    engineRun.broken(error);
    end();
  });
}

async function perform(
  operationLog: OperationLog,
  { type, step, target, attempt }: NextAction,
  session: NodeSession,
  signals: FollowSignals,
): Promise<TaskOutcome> {
  const { stop, hurry } = signals;
  const asks = type === 'ask';
  const unseen = asks ? undefined : await waitForUnseen(operationLog, session, step, signals);
  if (unseen !== undefined) return unseen;
  if (!isJobStep(step)) return runSimply(operationLog, step, session, stop);
  return runJobTask(operationLog, { step, target, attempt, asks, stop }, session, hurry);
}

/** A controller that is aborted with another's signal; `release` when it is not needed any more. */
function stoppedBy(signal: AbortSignal): { readonly stop: AbortController; readonly release: () => void } {
  const stop = new AbortController();
  const pass = (): void => stop.abort(signal.reason);
  if (signal.aborted) pass();
  signal.addEventListener('abort', pass);
  return { stop, release: () => signal.removeEventListener('abort', pass) };
}

function brokenOff(error: unknown, stop: AbortSignal, node: string): TaskOutcome {
  if (error instanceof UnwrittenRecord) throw error;
  if (stop.aborted) return { type: 'cancelled', message: `${node}: interrupted.` };
  return { type: 'failed', message: `${node}: ${error instanceof Error ? error.message : String(error)}` };
}
