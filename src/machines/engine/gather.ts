import type { ClusterNode } from '#machines/decide/model.ts';
import { localNode, nodesOf, stepsOf, type MachinePlan as Plan } from '#machines/decide/plan.ts';
import type { OperationProgress as Progress } from '#machines/decide/progress.ts';
import { isSettled, standingOf } from '#machines/decide/task-standing.ts';
import type { Desk } from './desk.ts';
import { reachNode, type Hand, type HandSettings } from './hands.ts';
import { inParallel } from './in-parallel.ts';
import { waitForLeft } from './wait-for-left.ts';

/** The nodes, connected and locked, or why not. Nothing is changed on any node before all of them are connected. */
export type Gathered =
  | { readonly type: 'ready'; readonly hands: ReadonlyMap<string, Hand> }
  | { readonly type: 'unreachable'; readonly failures: ReadonlyMap<string, string> }
  | { readonly type: 'locked'; readonly message: string };

export async function gather(
  desk: Desk,
  nodes: ReadonlyMap<string, ClusterNode>,
  settings: HandSettings,
  signal: AbortSignal,
): Promise<Gathered> {
  const hands = new Map<string, Hand>();
  const letGo = async (): Promise<void> => {
    await Promise.all([...hands.values()].map((hand) => hand.letGo(false)));
  };
  try {
    const failures = await connectAll(desk, { nodes, settings, hands }, signal);
    const wanted = neededNodes(desk.plan, desk.progress());
    const isRefused = desk.plan.onUnreachable === 'refuse' || failures.size === wanted.length;
    if (failures.size > 0 && isRefused) {
      await letGo();
      return { type: 'unreachable', failures };
    }
    for (const [node, message] of failures) {
      await desk.note({ type: 'isolated', node, message });
      desk.tell({ type: 'notice', node, message });
    }
    const held = await lockAll(desk, hands, signal);
    if (held === undefined) return { type: 'ready', hands };
    await letGo();
    return held;
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** Nodes on which something is left to do. */
function neededNodes(plan: Plan, progress: Progress): readonly string[] {
  const open = new Set(
    stepsOf(plan).flatMap((step) =>
      step.targets.flatMap(({ node }) => (isSettled(standingOf(step, node, progress)) ? [] : [node])),
    ),
  );
  return [...nodesOf(plan), localNode].filter((node) => open.has(node) && !progress.isolated.has(node));
}

type Reaching = {
  readonly nodes: ReadonlyMap<string, ClusterNode>;
  readonly settings: HandSettings;
  readonly hands: Map<string, Hand>;
};

async function connectAll(
  { plan, progress, doors }: Desk,
  { nodes, settings, hands }: Reaching,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  await inParallel(neededNodes(plan, progress()), plan.parallel, async (name) => {
    const node = name === localNode ? localNode : nodes.get(name);
    if (node === undefined) throw new Error(`The plan names ${name}, which the cluster does not have.`);
    const reached = await reachNode(node, doors, settings, signal);
    if ('type' in reached) failures.set(name, reached.message);
    else hands.set(name, reached);
  });
  return failures;
}

async function lockAll(
  desk: Desk,
  hands: ReadonlyMap<string, Hand>,
  signal: AbortSignal,
): Promise<Exclude<Gathered, { type: 'ready' }> | undefined> {
  let held: string | undefined;
  const failures = new Map<string, string>();
  await inParallel([...hands.values()], desk.plan.parallel, async (hand) => {
    if (held !== undefined) return;
    const locked = await hand.lock(signal);
    if (locked.type === 'held') held = locked.message;
    else if (locked.type === 'failed') failures.set(hand.node, locked.message);
    else {
      if (locked.takenFrom !== undefined)
        desk.tell({
          type: 'notice',
          node: hand.node,
          message: `The lease of ${hand.node} was left behind by ${locked.takenFrom} and is taken over.`,
        });
      held ??= await waitForLeft(desk, hand, locked.left, signal);
    }
  });
  if (held !== undefined) return { type: 'locked', message: held };
  return failures.size > 0 ? { type: 'unreachable', failures } : undefined;
}
