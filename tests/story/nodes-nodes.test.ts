import { expect, test } from 'vitest';
import { at, listAt, textAt } from '#base/json.ts';
import { minutes } from '#base/time.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { downAnnotation } from '#embedded/nodes/node/node-registry.ts';
import { summary } from '#embedded/nodes/testing/history-lines.ts';
import { conditionOf, leases, never, nodes, openNodes, pods, storyPod } from '../support/nodes-cluster.ts';

const on = (node: string, more = {}): KubeObject =>
  storyPod('p', { spec: { nodeSelector: { 'kubernetes.io/hostname': node }, ...more } });
const taints = (node: KubeObject): readonly string[] =>
  listAt(node, 'spec', 'taints').map((each) => `${textAt(each, 'key')} ${textAt(each, 'effect')}`);

test('nodes register, beat and report', async () => {
  await using cluster = await openNodes();
  const node = await cluster.node('node-2');
  expect(node).toMatchObject({
    metadata: { labels: { 'kubernetes.io/hostname': 'node-2', 'kubernetes.io/os': 'linux' } },
    spec: { podCIDR: '10.128.1.0/24', podCIDRs: ['10.128.1.0/24'] },
    status: { allocatable: { pods: '110' }, addresses: [{ type: 'InternalIP', address: '10.0.0.2' }, {}] },
  });
  expect(conditionOf(node, 'Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' });
  const renewed = async (): Promise<string> => {
    const lease = await cluster.client.get(leases, { namespace: 'kube-node-lease', name: 'node-2' }, never);
    return lease.type === 'ok' ? (textAt(lease.object, 'spec', 'renewTime') ?? '') : lease.message;
  };
  const first = await renewed();
  await cluster.pass(11_000);
  const second = await renewed();
  expect(second > first).toBe(true);
  const version = resourceVersionOf(await cluster.node('node-2'));
  await cluster.pass(200_000, 5000);
  expect(resourceVersionOf(await cluster.node('node-2'))).toBe(version);
  await cluster.pass(120_000, 5000);
  expect(resourceVersionOf(await cluster.node('node-2'))).not.toBe(version);
  expect(conditionOf(await cluster.node('node-2'), 'Ready')?.['lastTransitionTime']).toBe(
    '2026-05-04T03:02:01Z',
  );
});

test('pods at rest write nothing', async () => {
  await using cluster = await openNodes();
  for (let i = 0; i < 20; i += 1) await cluster.create(storyPod(`p-${i}`));
  const versions = async (): Promise<readonly string[]> => {
    const listed = await cluster.client.list(pods, {}, never);
    return listed.type === 'ok' ? listed.items.map(resourceVersionOf) : [];
  };
  const before = await versions();
  const commits = cluster.commits.length;
  await cluster.pass(60_000, 5000);
  expect(await versions()).toEqual(before);
  // Three nodes, six heartbeats each.
  expect(cluster.commits.length - commits).toBeLessThanOrEqual(3 * 7);
});

test('a node that falls silent is tainted, its pods are marked and evicted; it comes back', async () => {
  await using cluster = await openNodes();
  await cluster.create(on('node-1'));
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
  cluster.nodes.setNodeDown('node-1', true);
  await cluster.pass(40_000);
  expect(conditionOf(await cluster.node('node-1'), 'Ready')).toMatchObject({ status: 'True' });

  await cluster.pass(25_000);
  const lost = await cluster.node('node-1');
  expect(conditionOf(lost, 'Ready')).toMatchObject({
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  });
  expect(taints(lost)).toEqual([
    'node.kubernetes.io/unreachable NoSchedule',
    'node.kubernetes.io/unreachable NoExecute',
  ]);
  expect(conditionOf(await cluster.pod('p'), 'Ready')).toMatchObject({ status: 'False' });
  expect(await cluster.told('p')).toContain('NodeNotReady x1');
  await cluster.pass(280_000, 5000);
  expect(at(await cluster.pod('p'), 'metadata', 'deletionTimestamp')).toBeUndefined();
  await cluster.pass(30_000, 5000);
  const evicted = await cluster.pod('p');
  expect(at(evicted, 'metadata', 'deletionTimestamp')).toBeDefined();
  expect(conditionOf(evicted, 'DisruptionTarget')).toMatchObject({ reason: 'DeletionByTaintManager' });

  await cluster.pass(60_000, 5000);
  expect(await cluster.pod('p')).toBeDefined();
  cluster.nodes.setNodeDown('node-1', false);
  await cluster.pass(3000);
  expect(await cluster.pod('p')).toBeUndefined();
  const back = await cluster.node('node-1');
  expect(conditionOf(back, 'Ready')).toMatchObject({ status: 'True' });
  expect(taints(back)).toEqual([]);
  expect(cluster.problems).toEqual([]);
});

test('a short silence has no lasting effect, and a pod that was marked is ready again', async () => {
  await using cluster = await openNodes();
  await cluster.create(on('node-1'));
  cluster.nodes.setNodeDown('node-1', true);
  await cluster.pass(70_000);
  expect(conditionOf(await cluster.pod('p'), 'Ready')).toMatchObject({ status: 'False' });
  cluster.nodes.setNodeDown('node-1', false);
  await cluster.pass(2000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
  await cluster.pass(400_000, 10_000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});

test('a taint of others evicts pods that do not tolerate it', async () => {
  await using cluster = await openNodes();
  await cluster.create(on('node-1'));
  const body = { spec: { taints: [{ key: 'example.com/out', effect: 'NoExecute' }] } };
  await cluster.client.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, never);
  await cluster.pass(2000);
  expect(await cluster.pod('p')).toBeUndefined();
});

test('who tolerates it for a while stays for that while', async () => {
  await using cluster = await openNodes();
  const tolerations = [
    { key: 'example.com/out', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 },
  ];
  await cluster.create(on('node-1', { tolerations }));
  const body = { spec: { taints: [{ key: 'example.com/out', effect: 'NoExecute' }] } };
  await cluster.client.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, never);
  await cluster.pass(18_000);
  expect(at(await cluster.pod('p'), 'metadata', 'deletionTimestamp')).toBeUndefined();
  await cluster.pass(4000);
  expect(await cluster.pod('p')).toBeUndefined();
});

test('anyone who may annotate a node can switch it off and on', async () => {
  await using cluster = await openNodes();
  await cluster.create(on('node-1'));
  const mark = async (value: string | null): Promise<void> => {
    const body = { metadata: { annotations: { [downAnnotation]: value } } };
    await cluster.client.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, never);
  };
  await mark('true');
  await cluster.pass(70_000);
  expect(conditionOf(await cluster.node('node-1'), 'Ready')).toMatchObject({ status: 'Unknown' });
  await mark(null);
  await cluster.pass(2000);
  expect(conditionOf(await cluster.node('node-1'), 'Ready')).toMatchObject({ status: 'True' });
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});

test('pods of a deleted node are collected; the node does not come back by itself', async () => {
  await using cluster = await openNodes();
  await cluster.create(on('node-1', { terminationGracePeriodSeconds: 30 }));
  cluster.nodes.setNodeDown('node-1', true);
  await cluster.client.remove(nodes, { name: 'node-1' }, never);
  await cluster.pass(30_000);
  expect(await cluster.pod('p')).toBeDefined();
  await cluster.pass(15_000);
  expect(await cluster.pod('p')).toBeUndefined();
  await expect(cluster.node('node-1')).rejects.toThrow('no node');
  expect(cluster.problems).toEqual([]);
});

test('a process that was away for long does not take its nodes for lost', async () => {
  await using cluster = await openNodes();
  await cluster.create(on('node-1'));
  await cluster.nodes.close();
  cluster.clock.advance(minutes(10));
  await cluster.restart();
  await cluster.pass(60_000, 5000);
  expect(conditionOf(await cluster.node('node-1'), 'Ready')).toMatchObject({
    status: 'True',
    lastTransitionTime: '2026-05-04T03:02:01Z',
  });
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});

test('everything is faster on a faster clock', async () => {
  await using cluster = await openNodes({ timeScale: 0.1 });
  await cluster.create(on('node-1'));
  cluster.nodes.setNodeDown('node-1', true);
  await cluster.pass(8000, 500);
  expect(conditionOf(await cluster.node('node-1'), 'Ready')).toMatchObject({ status: 'Unknown' });
  await cluster.pass(30_000, 500);
  expect(at(await cluster.pod('p'), 'metadata', 'deletionTimestamp')).toBeDefined();
});

test("another's node of the same name is left alone, and so are its pods", async () => {
  await using cluster = await openNodes({ nodes: 0 });
  const real = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };
  await cluster.client.create(nodes, real, never);
  await cluster.restart({ nodes: 2 });
  expect(cluster.problems).toEqual([
    ['a node of this name is not simulated: it is left alone', { node: 'node-1' }],
  ]);
  await cluster.create(storyPod('p', { spec: { nodeName: 'node-1' } }));
  await cluster.create(storyPod('q'));
  await cluster.pass(70_000, 5000);
  expect(listAt(await cluster.node('node-1'), 'status', 'conditions')).toEqual([]);
  expect(taints(await cluster.node('node-1'))).toEqual([]);
  expect(textAt(await cluster.pod('p'), 'status', 'phase')).toBe('Pending');
  expect(textAt(await cluster.pod('q'), 'spec', 'nodeName')).toBe('node-2');
});

test('a node that was deleted and made again lives again', async () => {
  await using cluster = await openNodes();
  const before = await cluster.node('node-1');
  await cluster.client.remove(nodes, { name: 'node-1' }, never);
  await cluster.pass(20_000);
  const { labels } = before['metadata'] as { labels: Record<string, string> };
  const again = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', labels },
    status: before['status'] ?? {},
  };
  await cluster.client.create(nodes, again, never);
  await cluster.pass(120_000, 5000);
  expect(conditionOf(await cluster.node('node-1'), 'Ready')).toMatchObject({ status: 'True' });
  await cluster.create(on('node-1'));
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});
