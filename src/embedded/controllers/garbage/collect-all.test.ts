import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import { decide, type PropagationPolicy, type GarbageStep } from './decide.ts';
import { OwnerGraph } from './graph.ts';
import { viewOf } from './view.ts';
import { nodeOf, type GraphNode } from './node.ts';

const maps: DiscoveredResource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  verbs: [],
};

type Owned = { readonly to: number; readonly blocks: boolean };

const thing = (i: number, owners: readonly Owned[]): GraphNode =>
  nodeOf(maps, {
    metadata: {
      name: `n${i}`,
      namespace: 'd',
      uid: `n${i}`,
      ownerReferences: owners.map(({ to, blocks }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: `n${to}`,
        uid: `n${to}`,
        blockOwnerDeletion: blocks,
      })),
    },
  });

/** What an API server makes of a deletion. */
function remove(graph: OwnerGraph, node: GraphNode, policy: PropagationPolicy): void {
  if (policy === 'Background') {
    graph.remove(node.uid);
    return;
  }
  const phase = policy === 'Foreground' ? 'waiting' : 'orphaning';
  graph.put({ ...node, phase, finalizers: [policy === 'Foreground' ? 'foregroundDeletion' : 'orphan'] });
}

function carryOut(graph: OwnerGraph, node: GraphNode, step: GarbageStep): boolean {
  switch (step.type) {
    case 'nothing':
    case 'look later':
      return false;
    case 'remove finalizer':
      graph.remove(node.uid);
      return true;
    case 'drop owners':
      graph.put({ ...node, owners: node.owners.filter(({ uid }) => !step.uids.includes(uid)) });
      return true;
    case 'unblock owners':
      graph.put({ ...node, owners: node.owners.map((owner) => ({ ...owner, blocks: false })) });
      return true;
    case 'delete':
      remove(graph, node, step.policy);
      return true;
  }
}

const index = fc.nat({ max: 7 });
const policy = fc.constantFrom<PropagationPolicy>('Background', 'Foreground', 'Orphan');
const world = fc.record({
  owners: fc.array(
    fc.uniqueArray(fc.record({ to: index, blocks: fc.boolean() }), {
      maxLength: 3,
      selector: ({ to }) => to,
    }),
    {
      minLength: 8,
      maxLength: 8,
    },
  ),
  deletions: fc.array(fc.record({ of: index, policy, early: fc.boolean() }), { maxLength: 4 }),
  order: fc.infiniteStream(index),
});

test('with any owners and any order of deletion nothing hangs, is orphaned or is deleted early', () => {
  fc.assert(
    fc.property(world, ({ owners, deletions, order }) => {
      const graph = new OwnerGraph();
      owners.forEach((each, i) => graph.put(thing(i, each)));
      const step = (uid: string): boolean => {
        const node = graph.get(uid);
        if (node === undefined) return false;
        const view = viewOf(graph, node, { scopeOf: () => 'namespaced', unseen: new Set() });
        const next = decide(view);
        if (next.type === 'delete') expect(view.owners).not.toContain('solid');
        return carryOut(graph, node, next);
      };
      for (const { of, policy, early } of deletions) {
        const node = graph.get(`n${of}`);
        if (node?.phase === 'live') remove(graph, node, policy);
        if (!early) for (const i of order.take(20)) step(`n${i}`);
      }
      for (let rounds = 0; [...graph.uids()].map(step).includes(true); rounds += 1)
        expect(rounds).toBeLessThan(100);
      for (const uid of graph.uids()) {
        const node = graph.get(uid);
        expect(node?.phase).toBe('live');
        for (const owner of node?.owners ?? []) expect(graph.get(owner.uid)).toBeDefined();
      }
    }),
    { numRuns: 400 },
  );
});
