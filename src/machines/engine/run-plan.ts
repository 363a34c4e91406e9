import { millis, type Instant, type Millis } from '#base/time.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import {
  isolatedNodes,
  nextActions,
  type NextActions,
  type NextAction,
} from '#machines/decide/next-actions.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { hasSucceeded, type JournalRecord } from '#machines/decide/progress.ts';
import { verdictOf, type OperationVerdict } from '#machines/decide/verdict.ts';
import { cancelTasks } from './cancel-tasks.ts';
import { openOperationLog, type OperationLog } from './operation-log.ts';
import type { EngineIo } from './io.ts';
import { openEngineRun, stoppedText, type EngineRun } from './engine-run.ts';
import { connectNodes, neededNodes } from './connect-nodes.ts';
import { mayCleanUp } from './may-clean-up.ts';
import type { NodeSession } from './node-session.ts';
import { startTask } from './start-task.ts';
import { reportRemains } from './report-remains.ts';

export type Work = {
  readonly id: string;
  readonly plan: MachinePlan;
  /** All parts of the operation, where `plan` is one of them: scripts of another part may run on its machines. */
  readonly whole?: MachinePlan | undefined;
  readonly nodes: ReadonlyMap<string, ClusterNode>;
  /** What the operation's journal holds already. */
  readonly records: readonly JournalRecord[];
  /** Shown to other operators: `host pid since what`. */
  readonly holder: string;
  readonly leaseTouch: Millis;
  readonly leaseStale: Millis;
  /** How long to retry after a lost connection. */
  readonly patience: Millis;
  /** After a removal: also remove what Boathook keeps on the machines. */
  readonly purge?: boolean;
  /** Aborted: this operator stops without ending the jobs on the nodes; a resume continues them. */
  readonly leave?: AbortSignal;
};

export type RunEnd =
  | { readonly type: 'ended'; readonly verdict: OperationVerdict }
  /** Nothing was changed: another operator uses a node. */
  | { readonly type: 'locked'; readonly message: string }
  /** Nothing was changed: these nodes cannot be worked on. */
  | { readonly type: 'unreachable'; readonly failures: ReadonlyMap<string, string> }
  /** Another operator has taken the operation over while it ran; what runs is left to it. */
  | { readonly type: 'taken-over'; readonly message: string };

/**
 * Executes a plan from where its journal stands to its end. An abort of the signal ends the jobs on their nodes and
 * the operation with them (Cancelled).
 */
export async function runPlan(work: Work, io: EngineIo, signal: AbortSignal): Promise<RunEnd> {
  const operationLog = openOperationLog(work, io);
  const run = io.random.uuid();
  const engineRun = openEngineRun(operationLog);
  const settings = {
    lock: { run, holder: work.holder, touchEvery: work.leaseTouch, staleAfter: work.leaseStale },
    patience: work.patience,
    onTaken: engineRun.takenOver,
  };
  const gone = work.leave === undefined ? signal : AbortSignal.any([signal, work.leave]);
  const connected = await connectNodes(operationLog, work.nodes, settings, gone).catch((error: unknown) => {
    if (!gone.aborted) throw error;
    return undefined;
  });
  if (connected === undefined && !signal.aborted) return { type: 'taken-over', message: stoppedText };
  if (connected === undefined) return { type: 'ended', verdict: cancelled(operationLog) };
  if (connected.type !== 'ready') return connected;
  let end: RunEnd | undefined;
  try {
    // Only a locked operation may be marked as open: the jobs of an earlier operator now belong to this one.
    await operationLog.record({ type: 'opened', run });
    if (work.leave?.aborted === true) engineRun.leave();
    work.leave?.addEventListener('abort', engineRun.leave);
    say(operationLog, work.id, 'Running');
    const { sessions } = connected;
    const connectedRun = { ...engineRun, id: work.id, sessions, signal, purge: work.purge === true };
    await workThrough(operationLog, connectedRun);
    end = await conclude(operationLog, connectedRun);
    return end;
  } finally {
    work.leave?.removeEventListener('abort', engineRun.leave);
    engineRun.hurry.abort(new Error('the operation is over'));
    const isOver = end?.type === 'ended' && engineRun.isTaken() === undefined;
    const isDone = (node: string): boolean => isOver && mayCleanUp(operationLog, node);
    await Promise.all([...connected.sessions.values()].map((session) => session.close(isDone(session.node))));
  }
}

type ConnectedRun = EngineRun & {
  readonly id: string;
  readonly sessions: ReadonlyMap<string, NodeSession>;
  readonly signal: AbortSignal;
  readonly purge: boolean;
};

async function workThrough(operationLog: OperationLog, connectedRun: ConnectedRun): Promise<void> {
  const { signal, wake, isTaken } = connectedRun;
  const unsubscribe = operationLog.io.onRetry?.(() => {
    retryFailed(operationLog, connectedRun);
    wake();
  });
  signal.addEventListener('abort', wake);
  try {
    let isBlocked = false;
    while (!signal.aborted && isTaken() === undefined) {
      const changed = connectedRun.changed();
      const next = await decideNext(operationLog);
      for (const action of next.actions) startTask(operationLog, connectedRun, action);
      if (next.over) return;
      const rests = connectedRun.running.size === 0;
      if (rests !== isBlocked) say(operationLog, connectedRun.id, rests ? 'Blocked' : 'Running', next.wakeAt);
      isBlocked = rests;
      await waitFor(operationLog, changed, next.wakeAt);
    }
  } finally {
    signal.removeEventListener('abort', wake);
    unsubscribe?.();
  }
}

/** Machines that were not connected at the start stay out: only another run connects to them. */
function retryFailed(operationLog: OperationLog, { sessions, broken }: ConnectedRun): void {
  const isolated = isolatedNodes(operationLog.plan, operationLog.progress());
  operationLog.record({ type: 'retried' }).catch(broken);
  const needed = neededNodes(operationLog.plan, operationLog.progress());
  for (const node of new Set([...isolated.keys(), ...needed])) {
    if (sessions.has(node)) continue;
    const message = isolated.get(node) ?? `${node} had nothing left to do.`;
    operationLog.record({ type: 'isolated', node, message }).catch(broken);
    const later = 'It was not connected at the start, so it is retried when the operation has ended.';
    operationLog.emit({ type: 'notice', node, message: `${message} ${later}` });
  }
}

/** Before another attempt the files of the user are read again. */
async function decideNext(operationLog: OperationLog): Promise<NextActions> {
  const next = nextActions(operationLog.plan, operationLog.progress(), operationLog.io.clock.now());
  if (!isRetry(next.actions) || !(await replanned(operationLog))) return next;
  return nextActions(operationLog.plan, operationLog.progress(), operationLog.io.clock.now());
}

const isRetry = (actions: readonly NextAction[]): boolean =>
  actions.some(({ type, attempt }) => type === 'run' && attempt > 1);

async function replanned(operationLog: OperationLog): Promise<boolean> {
  if (operationLog.io.replan === undefined) return false;
  try {
    operationLog.plan = await operationLog.io.replan();
    return true;
  } catch (error) {
    operationLog.emit({
      type: 'notice',
      message: `The plan cannot be renewed: ${(error as Error).message}`,
    });
    return false;
  }
}

async function waitFor(
  { io }: OperationLog,
  changed: Promise<void>,
  wakeAt: Instant | undefined,
): Promise<void> {
  if (wakeAt === undefined) return changed;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = io.clock.after(millis(Math.max(0, wakeAt - io.clock.now())), resolve);
  await Promise.race([changed, promise]);
  cancel();
}

async function conclude(operationLog: OperationLog, connectedRun: ConnectedRun): Promise<RunEnd> {
  connectedRun.throwIfBroken();
  const taken = connectedRun.isTaken();
  if (taken !== undefined) return { type: 'taken-over', message: taken };
  if (connectedRun.signal.aborted) {
    await cancelTasks(operationLog, connectedRun);
    connectedRun.throwIfBroken();
    await operationLog.record({ type: 'closed', state: 'Cancelled' });
    say(operationLog, connectedRun.id, 'Cancelled');
    return { type: 'ended', verdict: cancelled(operationLog) };
  }
  const verdict = verdictOf(operationLog.plan, operationLog.progress());
  await operationLog.record({ type: 'closed', state: verdict.state });
  if (hasSucceeded(verdict.state))
    await reportRemains(operationLog, connectedRun.sessions.values(), connectedRun.purge);
  say(operationLog, connectedRun.id, verdict.state);
  return { type: 'ended', verdict };
}

const cancelled = (operationLog: OperationLog): OperationVerdict => ({
  ...verdictOf(operationLog.plan, operationLog.progress()),
  state: 'Cancelled',
});

const say = (
  operationLog: OperationLog,
  id: string,
  state: OperationVerdict['state'],
  wakeAt?: Instant,
): void => operationLog.emit({ type: 'operation', id, state, ...(wakeAt !== undefined && { wakeAt }) });
