import type { ClusterNode } from '#machines/decide/model.ts';
import { localNode, nodesOf, stepsOf, type MachinePlan } from '#machines/decide/plan.ts';
import type { OperationProgress } from '#machines/decide/progress.ts';
import { isSettled, standingOf } from '#machines/decide/task-standing.ts';
import type { OperationLog } from './operation-log.ts';
import { reachNode, type NodeSession, type SessionSettings } from './node-session.ts';
import { inParallel } from './in-parallel.ts';
import { waitForLeft } from './wait-for-left.ts';

/** The nodes, connected and locked, or why not. Nothing changes on a node before all nodes are connected. */
export type ConnectedNodes =
  | { readonly type: 'ready'; readonly sessions: ReadonlyMap<string, NodeSession> }
  | { readonly type: 'unreachable'; readonly failures: ReadonlyMap<string, string> }
  | { readonly type: 'locked'; readonly message: string };

export async function connectNodes(
  operationLog: OperationLog,
  nodes: ReadonlyMap<string, ClusterNode>,
  settings: SessionSettings,
  signal: AbortSignal,
): Promise<ConnectedNodes> {
  const sessions = new Map<string, NodeSession>();
  const closeAll = async (): Promise<void> => {
    await Promise.all([...sessions.values()].map((session) => session.close(false)));
  };
  try {
    const failures = await connectAll(operationLog, { nodes, settings, sessions }, signal);
    const wanted = neededNodes(operationLog.plan, operationLog.progress());
    const isRefused = operationLog.plan.onUnreachable === 'refuse' || failures.size === wanted.length;
    if (failures.size > 0 && isRefused) {
      await closeAll();
      return { type: 'unreachable', failures };
    }
    for (const [node, message] of failures) {
      await operationLog.record({ type: 'isolated', node, message });
      operationLog.emit({ type: 'notice', node, message });
    }
    const held = await lockAll(operationLog, sessions, signal);
    if (held === undefined) return { type: 'ready', sessions };
    await closeAll();
    return held;
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Nodes on which something is left to do. */
export function neededNodes(plan: MachinePlan, progress: OperationProgress): readonly string[] {
  const open = new Set(
    stepsOf(plan).flatMap((step) =>
      step.targets.flatMap(({ node }) => (isSettled(standingOf(step, node, progress)) ? [] : [node])),
    ),
  );
  return [...nodesOf(plan), localNode].filter((node) => open.has(node) && !progress.isolated.has(node));
}

type Reaching = {
  readonly nodes: ReadonlyMap<string, ClusterNode>;
  readonly settings: SessionSettings;
  readonly sessions: Map<string, NodeSession>;
};

async function connectAll(
  { plan, progress, io }: OperationLog,
  { nodes, settings, sessions }: Reaching,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  await inParallel(neededNodes(plan, progress()), plan.parallel, async (name) => {
    const node = name === localNode ? localNode : nodes.get(name);
    if (node === undefined) throw new Error(`The plan names ${name}, which the cluster does not have.`);
    const reached = await reachNode(node, io, settings, signal);
    if ('type' in reached) failures.set(name, reached.message);
    else sessions.set(name, reached);
  });
  return failures;
}

async function lockAll(
  operationLog: OperationLog,
  sessions: ReadonlyMap<string, NodeSession>,
  signal: AbortSignal,
): Promise<Exclude<ConnectedNodes, { type: 'ready' }> | undefined> {
  let held: string | undefined;
  const failures = new Map<string, string>();
  await inParallel([...sessions.values()], operationLog.plan.parallel, async (session) => {
    if (held !== undefined) return;
    const locked = await session.lock(signal);
    if (locked.type === 'held') held = locked.message;
    else if (locked.type === 'failed') failures.set(session.node, locked.message);
    else {
      if (locked.takenFrom !== undefined)
        operationLog.emit({
          type: 'notice',
          node: session.node,
          message: `The lease of ${session.node} was left behind by ${locked.takenFrom} and is taken over.`,
        });
      // Another node may be held by then: `held ??= await` would forget it.
      const message = await waitForLeft(operationLog, session, locked.left, signal);
      held ??= message;
    }
  });
  if (held !== undefined) return { type: 'locked', message: held };
  return failures.size > 0 ? { type: 'unreachable', failures } : undefined;
}
