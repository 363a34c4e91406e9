import type { OwnerGraph } from './graph.ts';
import type { GraphNode } from './node.ts';
import { ownerState, scopeOfResource, type OwnerState, type OwnerScope } from './owner-state.ts';
import type { OwnerReference } from './owner-reference.ts';

/** An object with all that its garbage collection depends on. */
export type GarbageView = {
  readonly node: GraphNode;
  /** One state per owner reference, in order. */
  readonly owners: readonly OwnerState[];
  readonly hasDependents: boolean;
  /** A dependent with blockOwnerDeletion still exists. */
  readonly isBlocked: boolean;
  /** Its waiting owners wait, directly or not, for the object itself. */
  readonly isInCircle: boolean;
};

export type KnownOwners = {
  readonly scopeOf: (reference: OwnerReference) => OwnerScope;
  /** Owners that exist but are not in the graph yet. */
  readonly unseen: ReadonlySet<string>;
};

export function viewOf(graph: OwnerGraph, node: GraphNode, { scopeOf, unseen }: KnownOwners): GarbageView {
  const owners = node.owners.map((reference): OwnerState => {
    if (unseen.has(reference.uid)) return 'solid';
    const found = graph.get(reference.uid);
    const scope = found === undefined ? scopeOf(reference) : scopeOfResource(found.resource);
    return ownerState(node, reference, { found, scope, isGone: graph.isGone(reference.uid) });
  });
  return {
    node,
    owners,
    hasDependents: graph.findDependent(node, () => true) !== undefined,
    isBlocked: node.phase === 'waiting' && graph.findDependent(node, blocksDeletionOf(node)) !== undefined,
    isInCircle: owners.includes('waiting') && waitsForItself(graph, node),
  };
}

const blocksDeletionOf =
  (owner: GraphNode) =>
  (dependent: GraphNode): boolean =>
    dependent.owners.some(({ uid, blocks }) => blocks && uid === owner.uid);

/** Walks from an object up its waiting owners, by references that block, and looks for the object itself. */
function waitsForItself(graph: OwnerGraph, start: GraphNode): boolean {
  const seen = new Set<string>();
  const open: GraphNode[] = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const { uid, blocks } of node.owners) {
      if (!blocks || seen.has(uid)) continue;
      if (uid === start.uid) return true;
      seen.add(uid);
      const owner = graph.get(uid);
      if (owner?.phase === 'waiting') open.push(owner);
    }
  }
  return false;
}
