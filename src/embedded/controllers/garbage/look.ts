import type { Sight } from './decide.ts';
import type { Graph } from './graph.ts';
import type { Node } from './node.ts';
import { ownerState, scopeOfResource, type OwnerState, type Scope } from './owner-state.ts';
import type { OwnerReference } from './owner-reference.ts';

/** Gathers what decides the fate of one object. */
export function lookAt(graph: Graph, node: Node, scopeOf: (reference: OwnerReference) => Scope): Sight {
  const owners = node.owners.map((reference): OwnerState => {
    const found = graph.get(reference.uid);
    const scope = found === undefined ? scopeOf(reference) : scopeOfResource(found.resource);
    const hasVanished = graph.hasVanished(reference.uid);
    return ownerState(node, reference, { found, scope, hasVanished });
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
  (owner: Node) =>
  (dependent: Node): boolean =>
    dependent.owners.some(({ uid, blocks }) => blocks && uid === owner.uid);

/** Walks from an object up its waiting owners, by references that block, and looks for the object itself. */
function waitsForItself(graph: Graph, start: Node): boolean {
  const seen = new Set<string>();
  const open: Node[] = [start];
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
