import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { formatTime, millis } from '#base/time.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { isDeleting } from '#kube/object.ts';
import { nodes } from '#loop/owned/resources.ts';
import { gameStatefulSets } from '#releases/controller/resources.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';
import { gameDeployment, make, never, openGameWorld, type GameWorld } from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';

const annotations = { 'pod.gamestatefulset.bkbcs.tencent.com/node-lost-force-delete': 'true' };

const conditionsAt = (at: GameWorld, status: 'True' | 'Unknown'): JsonObject => {
  const time = formatTime(at.clock.now());
  const ready = { type: 'Ready', status, lastHeartbeatTime: time, lastTransitionTime: time };
  return { status: { conditions: [{ ...ready, reason: 'KubeletReady', message: '' }] } };
};

const joins = (at: GameWorld) =>
  make(at, nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, ...conditionsAt(at, 'True') });

async function becomes(at: GameWorld, status: 'True' | 'Unknown'): Promise<void> {
  const patch = { type: 'merge', body: conditionsAt(at, status), subresource: 'status' } as const;
  const outcome = await at.client.patch(nodes, { namespace: '', name: 'n' }, patch, never);
  expect(outcome.type).toBe('ok');
}

/** What the controller asks of the API server, and the watches of nodes that can be held back. */
async function open() {
  const news = heldWatches(['nodes']);
  const asked = { forced: 0, nodes: 0 };
  const around = (direct: Transport): Transport => {
    const held = news.around(direct);
    return (request) => {
      const { gracePeriodSeconds } = JSON.parse(request.body ?? '{}') as JsonObject;
      if (request.method === 'DELETE' && gracePeriodSeconds === 0) asked.forced += 1;
      if (request.method === 'GET' && request.path.endsWith('/nodes/n')) asked.nodes += 1;
      return held(request);
    };
  };
  const at = await closedAfterTest(openGameWorld());
  await at.control({ around });
  await at.pass(1);
  return { at, news, asked };
}

/** A pod on the node, which nobody runs there: it stays until it is deleted by force. */
async function deletePodOfNode(at: GameWorld): Promise<void> {
  const template = {
    metadata: { labels: { app: 'g' }, annotations },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', image: 'app:1' }],
      terminationGracePeriodSeconds: 30,
    },
  };
  const spec = { replicas: 1, serviceName: 'g', podManagementPolicy: 'Parallel', template };
  await make(at, gameStatefulSets, { ...gameDeployment(spec), kind: 'GameStatefulSet' });
  await at.pass(3);
  await at.deletePod('g-0');
  await at.pass(2);
}

const isGoing = (at: GameWorld): boolean => at.allPods().some(isDeleting);

/** Time passes while the watch stays as it is. */
async function turns(at: GameWorld, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    at.clock.advance(millis(500));
    await at.settle(false);
  }
}

test('a pod on a node that the controller has not seen yet is not deleted by force', async () => {
  const { at, news, asked } = await open();
  news.hold();
  await joins(at);
  await deletePodOfNode(at);
  await turns(at, 60);
  expect(asked.forced).toBe(0);
  expect(isGoing(at)).toBe(true);
  // The node is asked for again now and then, not all the time.
  expect(asked.nodes).toBeGreaterThan(1);
  expect(asked.nodes).toBeLessThan(8);
  news.release();
  await at.pass(5);
  expect(asked.forced).toBe(0);
});

test('a pod on a node that is back, and the controller does not know it, is not deleted by force', async () => {
  const { at, news, asked } = await open();
  await joins(at);
  await becomes(at, 'Unknown');
  await at.settle();
  news.hold();
  await becomes(at, 'True');
  await deletePodOfNode(at);
  expect(asked.forced).toBe(0);
  expect(isGoing(at)).toBe(true);
});

test('a pod on a node that is lost is deleted by force, also when its watch is late', async () => {
  const { at, news, asked } = await open();
  news.hold();
  await joins(at);
  await deletePodOfNode(at);
  expect(asked.forced).toBe(0);
  await becomes(at, 'Unknown');
  await turns(at, 30);
  expect(asked.forced).toBeGreaterThan(0);
  expect(isGoing(at)).toBe(false);
});
