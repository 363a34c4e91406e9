import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { claims, storageClasses } from '#embedded/nodes/api/resources.ts';
import { summary } from '#embedded/nodes/testing/history-lines.ts';
import {
  conditionOf,
  never,
  openNodes,
  pods,
  storyPod,
  type NodesCluster,
} from '../support/nodes-cluster.ts';

const priorityClasses: Resource = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  plural: 'priorityclasses',
  namespaced: false,
};
const small = { cpu: '4', memory: '8Gi', pods: 20, ephemeralStorage: '1Gi' };
const asking = (cpu: string): JsonObject => ({ resources: { requests: { cpu } } });
const app = (name: string): { labels: JsonObject } => ({ labels: { app: name } });
const term = (name: string): JsonObject => ({
  topologyKey: 'kubernetes.io/hostname',
  labelSelector: { matchLabels: { app: name } },
});
const affinity = (kind: string, name: string): JsonObject => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term(name)] } },
});

async function createAll(cluster: NodesCluster, all: readonly KubeObject[]): Promise<void> {
  await Promise.all(all.map((pod) => cluster.client.create(pods, pod, never)));
  await cluster.pass(500, 100);
}

async function placed(cluster: NodesCluster): Promise<ReadonlyMap<string, string>> {
  const listed = await cluster.client.list(pods, { namespace: 'default' }, never);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return new Map(listed.items.map((pod) => [nameOf(pod), textAt(pod, 'spec', 'nodeName') ?? '']));
}

const why = async (cluster: NodesCluster, name: string): Promise<unknown> =>
  conditionOf(await cluster.pod(name), 'PodScheduled')?.['message'];

test('pods of higher priority are first, whether new or waiting', async () => {
  await using cluster = await openNodes({ nodes: 1, shape: small });
  for (const [name, value] of [
    ['high', 1000],
    ['low', -5],
  ] as const) {
    const made = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
    expect((await cluster.client.create(priorityClasses, made, never)).type).toBe('ok');
  }
  const pod = (name: string, priorityClassName?: string): KubeObject =>
    storyPod(name, {
      container: asking('3'),
      spec: priorityClassName === undefined ? {} : { priorityClassName },
    });
  await cluster.create(pod('first'));
  const ordinary = Array.from({ length: 12 }, (_, i) => pod(`o-${i}`));
  await createAll(cluster, [pod('lowly', 'low'), ...ordinary, pod('important', 'high')]);
  expect(await why(cluster, 'important')).toBe(
    '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
  );
  const leave = async (name: string): Promise<readonly string[]> => {
    await cluster.client.remove(pods, { namespace: 'default', name }, never);
    await cluster.pass(3000, 500);
    return [...(await placed(cluster))].filter(([, node]) => node !== '').map(([each]) => each);
  };
  expect(await leave('first')).toEqual(['important']);
  let [next = ''] = await leave('important');
  for (let i = 0; i < 12; i += 1) {
    expect(next).toMatch(/^o-/);
    [next = ''] = await leave(next);
  }
  expect(next).toBe('lowly');
  expect(cluster.problems).toEqual([]);
});

test('of many that come at once the important ones get the room', async () => {
  await using cluster = await openNodes({ nodes: 1, shape: small });
  const made = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 7,
  };
  await cluster.client.create(priorityClasses, made, never);
  await cluster.nodes.close();
  const ordinary = Array.from({ length: 30 }, (_, i) => storyPod(`a-${i}`, { container: asking('1') }));
  const important = Array.from({ length: 4 }, (_, i) =>
    storyPod(`z-${i}`, { container: asking('1'), spec: { priorityClassName: 'high' } }),
  );
  await Promise.all([...ordinary, ...important].map((each) => cluster.client.create(pods, each, never)));
  await cluster.restart();
  await cluster.pass(500, 100);
  const there = [...(await placed(cluster))].filter(([, node]) => node !== '').map(([name]) => name);
  expect(there).toEqual(['z-0', 'z-1', 'z-2', 'z-3']);
});

test('a pod waits for a claim that is to be bound before it', async () => {
  await using cluster = await openNodes();
  const soon = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'soon' },
    provisioner: 'x/y',
  };
  await cluster.client.create(storageClasses, { ...soon, volumeBindingMode: 'Immediate' }, never);
  await cluster.create(
    storyPod('p', { spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }] } }),
  );
  const tail = ' preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
  expect(await why(cluster, 'p')).toBe(
    `0/3 nodes are available: persistentvolumeclaim "d" not found.${tail}`,
  );
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'd', namespace: 'default' },
    spec: {
      storageClassName: 'soon',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  };
  expect((await cluster.client.create(claims, claim, never)).type).toBe('ok');
  await cluster.pass(1000);
  expect(await why(cluster, 'p')).toBe(
    `0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.${tail}`,
  );
  const body = { spec: { volumeName: 'v' } };
  await cluster.client.patch(claims, { namespace: 'default', name: 'd' }, { type: 'merge', body }, never);
  await cluster.pass(1000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});

test('a pod that needs company waits for it', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { spec: affinity('podAffinity', 'friend') }));
  expect(await why(cluster, 'p')).toBe(
    "0/3 nodes are available: 3 node(s) didn't match pod affinity rules. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  );
  await cluster.create(storyPod('q', { meta: app('friend') }));
  await cluster.pass(500, 100);
  const nodes = await placed(cluster);
  expect(nodes.get('p')).toBe(nodes.get('q'));
  expect(nodes.get('p')).not.toBe('');
});

test('pods that avoid each other take a node each; the last waits until one leaves', async () => {
  await using cluster = await openNodes();
  const all = ['a', 'b', 'c', 'd'].map((name) =>
    storyPod(name, { meta: app('web'), spec: affinity('podAntiAffinity', 'web') }),
  );
  await createAll(cluster, all);
  const before = await placed(cluster);
  const [waiting = ''] = [...before].flatMap(([name, node]) => (node === '' ? [name] : []));
  expect(new Set(before.values()).size).toBe(4);
  const [leaving = '', node] = [...before].find(([name]) => name !== waiting) ?? [];
  await cluster.client.remove(pods, { namespace: 'default', name: leaving }, never);
  await cluster.pass(2000, 500);
  expect((await placed(cluster)).get(waiting)).toBe(node);
});

test('pods that come at once are spread by their constraints', async () => {
  await using cluster = await openNodes();
  const spread = {
    topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...term('web') }],
  };
  // Those that are there already are all on one node.
  for (const name of ['x', 'y', 'z']) await cluster.create(storyPod(name, { spec: { nodeName: 'node-2' } }));
  const all = Array.from({ length: 9 }, (_, i) => storyPod(`w-${i}`, { meta: app('web'), spec: spread }));
  await createAll(cluster, all);
  const counts = new Map<string, number>();
  for (const [name, node] of await placed(cluster))
    if (name.startsWith('w')) counts.set(node, (counts.get(node) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({ 'node-1': 3, 'node-2': 3, 'node-3': 3 });
});
