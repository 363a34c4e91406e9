import { expect, test } from 'vitest';
import { at, isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { millis } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { summary } from '#embedded/nodes/testing/history-lines.ts';
import {
  conditionOf,
  containerOf,
  never,
  nodes,
  openNodes,
  pods,
  storyPod,
  type NodesCluster,
} from '../support/nodes-cluster.ts';

const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };
const requests = (cpu: string): JsonObject => ({ resources: { requests: { cpu } } });
const statusOf = (pod: KubeObject | undefined): JsonObject => objectAt(pod, 'status') ?? {};

test('a pod bound by hand that does not fit is rejected, and its neighbours are not hurt', async () => {
  await using cluster = await openNodes({ nodes: 1 });
  await cluster.create(storyPod('first', { container: requests('20') }));
  await cluster.create(storyPod('second', { container: requests('20'), spec: { nodeName: 'node-1' } }));
  const rejected = await cluster.pod('second');
  expect(statusOf(rejected)).toMatchObject({
    phase: 'Failed',
    reason: 'OutOfcpu',
    message:
      "Pod was rejected: Node didn't have enough resource: cpu, requested: 20000, used: 20000, capacity: 32000",
  });
  expect(statusOf(rejected)).not.toHaveProperty('containerStatuses');
  expect(await cluster.told('second')).toEqual(['OutOfcpu x1']);
  await cluster.pass(60_000, 5000);
  expect(statusOf(await cluster.pod('second'))).toEqual(statusOf(rejected));
  expect(summary((await cluster.pod('first')) ?? {})).toBe('Running c:running#0 +ready');

  await cluster.restart();
  await cluster.pass(5000);
  expect(statusOf(await cluster.pod('second'))).toEqual(statusOf(rejected));
  await cluster.client.remove(pods, { namespace: 'default', name: 'second' }, never);
  await cluster.pass(1000);
  expect(await cluster.pod('second')).toBeUndefined();

  await cluster.client.remove(pods, { namespace: 'default', name: 'first' }, never);
  await cluster.pass(1000);
  await cluster.create(storyPod('third', { container: requests('20'), spec: { nodeName: 'node-1' } }));
  expect(summary((await cluster.pod('third')) ?? {})).toBe('Running c:running#0 +ready');
  expect(cluster.problems).toEqual([]);
});

test.for([
  [
    'memory',
    { container: { resources: { requests: { memory: '200Gi' } } } },
    'OutOfmemory',
    /^Pod was rejected: Node didn't have enough resource: memory, requested: 214748364800, used: 0, capacity: 137438953472$/,
  ],
  [
    'node affinity',
    { spec: { nodeSelector: { disk: 'ssd' } } },
    'NodeAffinity',
    /^Pod was rejected: Predicate NodeAffinity failed: node\(s\) didn't match Pod's node affinity\/selector$/,
  ],
] as const)('%s is looked at by the kubelet too', async ([, given, reason, message]) => {
  await using cluster = await openNodes({ nodes: 1 });
  await cluster.create(
    storyPod('p', { ...given, spec: { nodeName: 'node-1', ...('spec' in given && given.spec) } }),
  );
  const status = statusOf(await cluster.pod('p'));
  expect(status).toMatchObject({ phase: 'Failed', reason });
  expect(status['message']).toMatch(message);
});

test('a full node takes no more pods, and no port twice; all at once or one by one', async () => {
  const shape = { cpu: '4', memory: '8Gi', pods: 3, ephemeralStorage: '1Gi' };
  await using cluster = await openNodes({ nodes: 1, shape });
  const port = { ports: [{ containerPort: 80, hostPort: 80 }] };
  const made = ['a', 'b'].map((name) =>
    cluster.client.create(pods, storyPod(name, { spec: { nodeName: 'node-1' }, container: port }), never),
  );
  await Promise.all(made);
  await cluster.pass(100);
  const reasons = async (...names: readonly string[]): Promise<readonly unknown[]> =>
    (await Promise.all(names.map((name) => cluster.pod(name)))).map((each) => statusOf(each)['reason']);
  expect(new Set(await reasons('a', 'b'))).toEqual(new Set(['NodePorts', undefined]));
  for (const name of ['c', 'd', 'e']) await cluster.create(storyPod(name, { spec: { nodeName: 'node-1' } }));
  expect(await reasons('c', 'd', 'e')).toEqual([undefined, undefined, 'OutOfpods']);
  expect(statusOf(await cluster.pod('e'))['message']).toBe(
    "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3",
  );
});

test('what the scheduler places is never rejected, however tight it is', async () => {
  const shape = { cpu: '4', memory: '8Gi', pods: 20, ephemeralStorage: '1Gi' };
  await using cluster = await openNodes({ nodes: 2, shape, profile: 'fast' });
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        cluster.client.create(
          pods,
          storyPod(`p-${round}-${i}`, {
            container: requests('1'),
            spec: { restartPolicy: 'Never' },
            annotations: { 'run-duration': '700ms' },
          }),
          never,
        ),
      ),
    );
    await cluster.pass(2500, 100);
  }
  await cluster.pass(10_000, 200);
  const listed = await cluster.client.list(pods, { namespace: 'default' }, never);
  const phases = listed.type === 'ok' ? listed.items.map((each) => textAt(each, 'status', 'phase')) : [];
  expect(phases).toHaveLength(40);
  expect(new Set(phases)).toEqual(new Set(['Succeeded']));
});

test('a pod that another client marks as failed is stopped, and nothing of it starts again', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { container: { lifecycle: { preStop: { sleep: { seconds: 3 } } } } }));
  const body = { status: { phase: 'Failed', reason: 'Evicted' } };
  const key = { namespace: 'default', name: 'p' };
  await cluster.client.patch(pods, key, { type: 'merge', body, subresource: 'status' }, never);
  await cluster.pass(1000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Failed c:running#0 -ready');
  await cluster.pass(5000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Failed c:exit0#0 -ready');
  await cluster.pass(600_000, 20_000);
  const after = await cluster.pod('p');
  expect(summary(after ?? {})).toBe('Failed c:exit0#0 -ready');
  expect(statusOf(after)['reason']).toBe('Evicted');
});

test('a pod declared over before its node looked never starts', async () => {
  await using cluster = await openNodes();
  cluster.nodes.setNodeDown('node-1', true);
  await cluster.create(storyPod('p', { spec: { nodeName: 'node-1' } }));
  const body = { status: { phase: 'Failed', reason: 'Evicted' } };
  const key = { namespace: 'default', name: 'p' };
  await cluster.client.patch(pods, key, { type: 'merge', body, subresource: 'status' }, never);
  cluster.nodes.setNodeDown('node-1', false);
  await cluster.pass(20_000);
  const pod = await cluster.pod('p');
  expect(statusOf(pod)['phase']).toBe('Failed');
  expect(containerOf(pod)['containerID']).toBeUndefined();
  await cluster.client.remove(pods, key, never);
  await cluster.pass(2000);
  expect(await cluster.pod('p')).toBeUndefined();
});

async function nodeEvents(cluster: NodesCluster, name: string): Promise<readonly string[]> {
  const listed = await cluster.client.list(events, { namespace: 'default' }, never);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return listed.items
    .filter((event) => textAt(event, 'involvedObject', 'name') === name)
    .map((event) => {
      const isByName = textAt(event, 'involvedObject', 'uid') === name;
      return `${textAt(event, 'source', 'component')} ${textAt(event, 'reason')}${isByName ? ' by name' : ''}`;
    });
}

test('nodes record the events of kubelets and the node controller', async () => {
  await using cluster = await openNodes({ profile: 'fast', nodes: 1 });
  await cluster.pass(100);
  const told = await nodeEvents(cluster, 'node-1');
  expect(told.filter((each) => each.startsWith('kubelet'))).toEqual(
    [
      'Starting',
      'NodeHasSufficientMemory',
      'NodeHasNoDiskPressure',
      'NodeHasSufficientPID',
      'NodeAllocatableEnforced',
      'NodeReady',
    ].map((reason) => `kubelet ${reason} by name`),
  );
  expect(told).toContain('node-controller RegisteredNode');
  const cordon = async (unschedulable: boolean): Promise<void> => {
    await cluster.client.patch(
      nodes,
      { name: 'node-1' },
      { type: 'merge', body: { spec: { unschedulable } } },
      never,
    );
    await cluster.pass(100);
  };
  await cordon(true);
  await cordon(false);
  expect((await nodeEvents(cluster, 'node-1')).slice(-2)).toEqual([
    'kubelet NodeNotSchedulable by name',
    'kubelet NodeSchedulable by name',
  ]);
  await cluster.client.remove(nodes, { name: 'node-1' }, never);
  await cluster.pass(100);
  expect(await nodeEvents(cluster, 'node-1')).toContain('node-controller RemovingNode');
});

test('fewer nodes than before: the others go, and their pods with them', async () => {
  await using cluster = await openNodes({ nodes: 5 });
  const foreign = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-9' } };
  await cluster.client.create(nodes, foreign, never);
  await cluster.create(storyPod('p', { spec: { nodeName: 'node-5' } }));
  await cluster.create(storyPod('q', { spec: { nodeName: 'node-2' } }));
  await cluster.restart({ nodes: 3 });
  await cluster.pass(1000);
  const listed = await cluster.client.list(nodes, {}, never);
  expect(listed.type === 'ok' && listed.items.map(nameOf)).toEqual(['node-1', 'node-2', 'node-3', 'node-9']);
  expect(await cluster.pod('p')).toBeDefined();
  await cluster.pass(45_000, 5000);
  expect(await cluster.pod('p')).toBeUndefined();
  expect(summary((await cluster.pod('q')) ?? {})).toBe('Running c:running#0 +ready');
  expect(cluster.problems).toEqual([]);
});

test('pods of a node that was deleted before the start are collected', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { spec: { nodeName: 'node-3' } }));
  await cluster.nodes.close();
  await cluster.client.remove(nodes, { name: 'node-3' }, never);
  await cluster.restart({ nodes: 2 });
  await cluster.pass(30_000, 5000);
  expect(await cluster.pod('p')).toBeDefined();
  await cluster.pass(15_000, 5000);
  expect(await cluster.pod('p')).toBeUndefined();
});

test('pods of two sets of nodes never share an address, and keep theirs over a restart', async () => {
  await using cluster = await openNodes({ nodes: 2 });
  const taken = { podCIDR: '10.128.2.0/24', podCIDRs: ['10.128.2.0/24'] };
  await cluster.client.create(
    nodes,
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' }, spec: taken },
    never,
  );
  await cluster.restart({ nodes: 4 });
  const cidr = async (name: string): Promise<unknown> => at(await cluster.node(name), 'spec', 'podCIDR');
  const ranges = await Promise.all(['node-1', 'node-2', 'node-3', 'node-4'].map(cidr));
  expect(ranges.slice(0, 2)).toEqual(['10.128.0.0/24', '10.128.1.0/24']);
  expect(new Set([...ranges, '10.128.2.0/24']).size).toBe(5);
  await cluster.create(storyPod('p', { spec: { nodeName: 'node-3' } }));
  const address = textAt(await cluster.pod('p'), 'status', 'podIP') ?? '';
  expect(address).toBe(String(ranges[2]).replace('0/24', '2'));
  await cluster.client.remove(nodes, { name: 'x' }, never);
  await cluster.restart({ nodes: 4 });
  await cluster.create(storyPod('q', { spec: { nodeName: 'node-3' } }));
  expect(textAt(await cluster.pod('q'), 'status', 'podIP')).toBe(address.replace(/2$/, '3'));
});

test('nodes that another process plays are left to it, until it is gone', async () => {
  const gone = new Set<string>();
  const owner = (id: string) => ({ id, isGone: (other: string) => gone.has(other) });
  await using cluster = await openNodes({ owner: owner('one') });
  await cluster.create(storyPod('p'));
  await cluster.nodes.close();
  await cluster.restart({ owner: owner('two') });
  expect(cluster.problems).toEqual(
    ['node-1', 'node-2', 'node-3'].map((node) => [
      'another process simulates the node of this name',
      { node, rival: 'one' },
    ]),
  );
  await cluster.create(storyPod('q', { spec: { nodeName: 'node-1' } }));
  expect(statusOf(await cluster.pod('q'))).not.toHaveProperty('startTime');
  gone.add('one');
  await cluster.restart({ owner: owner('two') });
  expect(summary((await cluster.pod('q')) ?? {})).toBe('Running c:running#0 +ready');
  await cluster.nodes.close();
  await cluster.restart({ owner: owner('three') });
  expect(cluster.problems).toHaveLength(6);
  cluster.clock.advance(millis(41_000));
  await cluster.restart({ owner: owner('three') });
  expect(cluster.problems).toHaveLength(6);
  await cluster.create(storyPod('r'));
  expect(conditionOf(await cluster.pod('r'), 'Ready')).toMatchObject({ status: 'True' });
  const restarts = listAt(await cluster.pod('p'), 'status', 'containerStatuses').filter(isObject);
  expect(restarts.map((each) => numberAt(each, 'restartCount'))).toEqual([0]);
});
