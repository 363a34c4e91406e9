import { millis, type Instant, type Millis } from '#base/time.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import { nextActions, type NextActions as Next, type NextAction } from '#machines/decide/next-actions.ts';
import type { MachinePlan as Plan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { verdictOf, type OperationVerdict as Verdict } from '#machines/decide/verdict.ts';
import { cancelTasks } from './cancel-tasks.ts';
import { openDesk, type Desk } from './desk.ts';
import type { EngineDoors } from './doors.ts';
import { gather } from './gather.ts';
import type { Hand } from './hands.ts';
import { startTask, type Running } from './start-task.ts';
import { tellRemains } from './tell-remains.ts';

export type Work = {
  readonly id: string;
  readonly plan: Plan;
  readonly nodes: ReadonlyMap<string, ClusterNode>;
  /** What the operation's journal holds already. */
  readonly records: readonly JournalRecord[];
  /** Told to other operators: `host pid since what`. */
  readonly holder: string;
  readonly leaseTouch: Millis;
  readonly leaseStale: Millis;
  /** How long a lost connection is tried for again. */
  readonly patience: Millis;
  /** After a removal: what is kept on the machines goes too. */
  readonly purge?: boolean;
  /** Aborted: this operator goes, and what runs on the nodes is left for whoever takes the operation up again. */
  readonly leave?: AbortSignal;
};

export type RunEnd =
  | { readonly type: 'ended'; readonly verdict: Verdict }
  /** Nothing was changed: somebody else works on a node. */
  | { readonly type: 'locked'; readonly message: string }
  /** Nothing was changed: these nodes cannot be worked on. */
  | { readonly type: 'unreachable'; readonly failures: ReadonlyMap<string, string> }
  /** Another operator has taken the operation over while it ran; what runs is left to it. */
  | { readonly type: 'taken-over'; readonly message: string };

/**
 * Executes a plan from where its journal stands to its end. An abort of the signal ends the jobs on their nodes and
 * the operation with them (Cancelled).
 */
export async function runPlan(work: Work, doors: EngineDoors, signal: AbortSignal): Promise<RunEnd> {
  const desk = openDesk(work, doors);
  const run = doors.random.uuid();
  const floor = openFloor(desk);
  const settings = {
    lock: { run, holder: work.holder, touchEvery: work.leaseTouch, staleAfter: work.leaseStale },
    patience: work.patience,
    onTaken: floor.takenOver,
  };
  const gone = work.leave === undefined ? signal : AbortSignal.any([signal, work.leave]);
  const gathered = await gather(desk, work.nodes, settings, gone).catch((error: unknown) => {
    if (!gone.aborted) throw error;
    return undefined;
  });
  if (gathered === undefined && !signal.aborted) return { type: 'taken-over', message: leftText };
  if (gathered === undefined) return { type: 'ended', verdict: cancelled(desk) };
  if (gathered.type !== 'ready') return gathered;
  try {
    // Only now is the operation ours, and what an earlier operator left live without one.
    await desk.note({ type: 'opened', run });
    if (work.leave?.aborted === true) floor.leave();
    work.leave?.addEventListener('abort', floor.leave);
    say(desk, work.id, 'Running');
    const { hands } = gathered;
    const shift = { ...floor, id: work.id, hands, signal, purge: work.purge === true };
    await workThrough(desk, shift);
    return await conclude(desk, shift);
  } finally {
    work.leave?.removeEventListener('abort', floor.leave);
    floor.hurry.abort(new Error('the operation is over'));
    const cleanUp = !floor.isTaken() && desk.progress().closed !== undefined;
    await Promise.all([...gathered.hands.values()].map((hand) => hand.letGo(cleanUp)));
  }
}

const leftText = 'This operator was told to go: what runs on the nodes is left to the next one.';

/** What goes on at the same time. */
type Floor = {
  readonly running: Set<Running>;
  /** Ends waiting for nodes that do not answer. */
  readonly hurry: AbortController;
  readonly takenOver: (node: string) => void;
  readonly leave: () => void;
  readonly isTaken: () => string | undefined;
  /** Settles when anything has happened. */
  readonly changed: () => Promise<void>;
  readonly wake: () => void;
};

type Shift = Floor & {
  readonly id: string;
  readonly hands: ReadonlyMap<string, Hand>;
  readonly signal: AbortSignal;
  readonly purge: boolean;
};

function openFloor(desk: Desk): Floor {
  let taken: string | undefined;
  let bell = Promise.withResolvers<void>();
  const wake = (): void => {
    bell.resolve();
    bell = Promise.withResolvers<void>();
  };
  return {
    running: new Set(),
    hurry: new AbortController(),
    takenOver(node) {
      taken ??= `Another operator has taken ${node} over: this one stops and leaves what runs to it.`;
      desk.tell({ type: 'notice', node, message: taken });
      wake();
    },
    leave() {
      taken ??= leftText;
      wake();
    },
    isTaken: () => taken,
    changed: () => bell.promise,
    wake,
  };
}

async function workThrough(desk: Desk, shift: Shift): Promise<void> {
  const { signal, wake, isTaken } = shift;
  const unsubscribe = desk.doors.onRetry?.(() => {
    void desk.note({ type: 'retried' });
    wake();
  });
  signal.addEventListener('abort', wake);
  try {
    let isBlocked = false;
    while (!signal.aborted && isTaken() === undefined) {
      const changed = shift.changed();
      const next = await decideNext(desk);
      for (const action of next.actions) startTask(desk, shift, action);
      if (next.over) return;
      const rests = shift.running.size === 0;
      if (rests !== isBlocked) say(desk, shift.id, rests ? 'Blocked' : 'Running', next.wakeAt);
      isBlocked = rests;
      await waitFor(desk, changed, next.wakeAt);
    }
  } finally {
    signal.removeEventListener('abort', wake);
    unsubscribe?.();
  }
}

/** Before another attempt the user's files are looked at again. */
async function decideNext(desk: Desk): Promise<Next> {
  const next = nextActions(desk.plan, desk.progress(), desk.doors.clock.now());
  if (!isRetry(next.actions) || !(await replanned(desk))) return next;
  return nextActions(desk.plan, desk.progress(), desk.doors.clock.now());
}

const isRetry = (actions: readonly NextAction[]): boolean =>
  actions.some(({ type, attempt }) => type === 'run' && attempt > 1);

async function replanned(desk: Desk): Promise<boolean> {
  if (desk.doors.replan === undefined) return false;
  try {
    desk.plan = await desk.doors.replan();
    return true;
  } catch (error) {
    desk.tell({ type: 'notice', message: `The files cannot be planned again: ${(error as Error).message}` });
    return false;
  }
}

async function waitFor({ doors }: Desk, changed: Promise<void>, wakeAt: Instant | undefined): Promise<void> {
  if (wakeAt === undefined) return changed;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = doors.clock.after(millis(Math.max(0, wakeAt - doors.clock.now())), resolve);
  await Promise.race([changed, promise]);
  cancel();
}

async function conclude(desk: Desk, shift: Shift): Promise<RunEnd> {
  const taken = shift.isTaken();
  if (taken !== undefined) return { type: 'taken-over', message: taken };
  if (shift.signal.aborted) {
    await cancelTasks(desk, shift);
    await desk.note({ type: 'closed', state: 'Cancelled' });
    say(desk, shift.id, 'Cancelled');
    return { type: 'ended', verdict: cancelled(desk) };
  }
  const verdict = verdictOf(desk.plan, desk.progress());
  await desk.note({ type: 'closed', state: verdict.state });
  if (verdict.state === 'Succeeded' || verdict.state === 'PartlySucceeded')
    await tellRemains(desk, shift.hands.values(), shift.purge);
  say(desk, shift.id, verdict.state);
  return { type: 'ended', verdict };
}

const cancelled = (desk: Desk): Verdict => ({
  ...verdictOf(desk.plan, desk.progress()),
  state: 'Cancelled',
});

const say = (desk: Desk, id: string, state: Verdict['state'], wakeAt?: Instant): void =>
  desk.tell({ type: 'operation', id, state, ...(wakeAt !== undefined && { wakeAt }) });
