import type { FetchStep, FilesStep, RemoveStep, PlanStep, TaskTarget } from '#machines/decide/plan.ts';
import { stepsOf } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import type { Delivered, Delivery } from '#edge/ssh/deliver.ts';
import { copyProgress } from './copy-progress.ts';
import type { OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';

/** Runs a step that is not a job. After an interruption it is repeated. */
export async function runSimply(
  operationLog: OperationLog,
  step: FilesStep | RemoveStep | FetchStep,
  session: NodeSession,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const outcome = await once(operationLog, step, session, signal);
  if (outcome.type !== 'unreachable') return outcome;
  const trouble = await session.reconnect(signal);
  return trouble === undefined
    ? once(operationLog, step, session, signal)
    : { ...outcome, message: `${session.node}: ${trouble}` };
}

async function once(
  operationLog: OperationLog,
  step: FilesStep | RemoveStep | FetchStep,
  session: NodeSession,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const machine = session.machine();
  if (step.kind === 'files') {
    const onProgress = copyProgress(operationLog, step.id, session.node);
    return deliveredOutcome(session, await machine.deliver(deliveriesOf(step), signal, onProgress));
  }
  if (step.kind === 'remove') {
    const done = await machine.remove(step.paths, signal);
    return done.type === 'done' ? { type: 'succeeded' } : troubleOutcome(session, done);
  }
  const fetched = await machine.fetch(step.path, signal);
  const isAbsent = fetched.type === 'failed' && step.optional === true;
  if (fetched.type !== 'fetched' && !isAbsent) return troubleOutcome(session, fetched);
  const content = fetched.type === 'fetched' ? fetched.content : new Uint8Array();
  await operationLog.io.artifacts.write(step.artifact, content);
  return { type: 'succeeded' };
}

/** The files of the plan for a node once more: a script may have been mended between two attempts. */
export async function deliverAgain(
  operationLog: OperationLog,
  session: NodeSession,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const files = stepsOf(operationLog.plan).flatMap((step: PlanStep) =>
    step.kind === 'files' && step.targets.some(({ node }: TaskTarget) => node === session.node)
      ? deliveriesOf(step)
      : [],
  );
  if (files.length === 0) return { type: 'succeeded' };
  return deliveredOutcome(session, await session.machine().deliver(files, signal));
}

const deliveriesOf = ({ files }: FilesStep): readonly Delivery[] =>
  files.map(({ src, dst, digest, size, mode }) => ({
    source: src,
    path: dst,
    digest: digest.replace(/^sha256:/, ''),
    size,
    mode,
  }));

export const deliveredOutcome = (session: NodeSession, delivered: Delivered): TaskOutcome =>
  delivered.type === 'delivered'
    ? { type: 'succeeded', changed: delivered.sent.length > 0 }
    : troubleOutcome(session, delivered);

const troubleOutcome = (
  { node }: NodeSession,
  {
    type,
    message,
    permanent,
  }: {
    readonly type: 'failed' | 'disconnected';
    readonly message: string;
    readonly permanent?: true;
  },
): TaskOutcome =>
  type === 'failed'
    ? { type: 'failed', message: `${node}: ${message}`, ...(permanent === true && { permanent }) }
    : { type: 'unreachable', refused: false, launched: false, message: `${node}: ${message}` };
