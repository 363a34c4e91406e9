import { expect, test } from 'vitest';
import { at, isObject, listAt, numberAt, type JsonObject } from '#base/json.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { summary } from '#embedded/nodes/testing/history-lines.ts';
import { historyViolations } from '#embedded/nodes/testing/violations.ts';
import {
  containerOf,
  never,
  nodes,
  openNodes,
  pods,
  storyPod,
  type NodesCluster,
} from '../support/nodes-cluster.ts';

const key = { namespace: 'default', name: 'p' };
const held = { finalizers: ['example.com/hold'] };
const release = (cluster: NodesCluster): Promise<unknown> =>
  cluster.client.patch(pods, key, { type: 'merge', body: { metadata: { finalizers: null } } }, never);
const setImage = (cluster: NodesCluster, image: string): Promise<unknown> => {
  const body = { spec: { containers: [{ name: 'c', image }] } };
  return cluster.client.patch(pods, key, { type: 'strategic', body }, never);
};
const shown = async (cluster: NodesCluster): Promise<string> => summary((await cluster.pod('p')) ?? {});

/** Nothing is written about the pod while so much time passes. */
async function rests(cluster: NodesCluster, span: number): Promise<void> {
  const before = resourceVersionOf((await cluster.pod('p')) ?? {});
  await cluster.pass(span, 5000);
  expect(resourceVersionOf((await cluster.pod('p')) ?? {})).toBe(before);
}

test('a finalizer that never clears: the containers end once, and the pod stays until the finalizer is removed', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { meta: held, annotations: { 'crash-after': '5s' } }));
  await cluster.pass(2000, 100);
  await cluster.client.remove(pods, key, never);
  await cluster.pass(5000, 250);
  expect(await shown(cluster)).toBe('Succeeded c:exit0#0 -ready');
  await rests(cluster, 120_000);
  await cluster.restart();
  await rests(cluster, 120_000);
  expect(await shown(cluster)).toBe('Succeeded c:exit0#0 -ready');
  await release(cluster);
  await cluster.pass(1000);
  expect(await cluster.pod('p')).toBeUndefined();
  expect(historyViolations(cluster.commits)).toEqual([]);
  expect(cluster.problems).toEqual([]);
});

test('an image that flaps: every run is counted, and the last image runs', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { annotations: { 'pull.c': 'ok' } }));
  await cluster.pass(1000, 100);
  for (let i = 0; i < 41; i += 1) {
    await setImage(cluster, i % 2 === 0 ? 'app:2' : 'app:1');
    await cluster.pass(i % 5 === 0 ? 700 : 100, 100);
    if (i % 10 === 7) await cluster.restart();
  }
  await cluster.pass(60_000, 1000);
  const status = containerOf(await cluster.pod('p'));
  expect(status).toMatchObject({ image: 'app:2', ready: true });
  expect(numberAt(status, 'restartCount')).toBeGreaterThan(3);
  expect(numberAt(status, 'restartCount')).toBeLessThanOrEqual(41);
  expect(historyViolations(cluster.commits)).toEqual([]);
});

test('an image that cannot be pulled, then can, then cannot: back-off and recovery', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { container: { image: 'No Image' } }));
  await cluster.pass(2000, 100);
  expect(await shown(cluster)).toBe('Pending c:InvalidImageName#0 -ready');
  for (let i = 0; i < 5; i += 1) {
    await setImage(cluster, `app:${i}`);
    await cluster.pass(2000, 100);
    expect(await shown(cluster)).toBe(`Running c:running#${i} +ready`);
    await setImage(cluster, 'No Image');
    await cluster.pass(2000, 100);
    expect(await shown(cluster)).toMatch(/^Running c:InvalidImageName#\d -ready$/);
  }
  expect(historyViolations(cluster.commits)).toEqual([]);
});

test.for([undefined, 0] as const)(
  'deleted at any moment of its start, with grace %s: gone, and nothing left',
  async (grace) => {
    for (let wait = 0; wait <= 1500; wait += 100) {
      await using cluster = await openNodes({ profile: 'fast', nodes: 1 });
      const annotations = { 'pull-delay': '400ms', 'start-delay': '300ms', 'ready-delay': '400ms' };
      await cluster.create(
        storyPod('p', { annotations, spec: { initContainers: [{ name: 'i', image: 'app:1' }] } }),
      );
      if (wait > 0) await cluster.pass(wait, 100);
      const options = grace === undefined ? {} : { gracePeriodSeconds: grace };
      await cluster.client.remove(pods, key, never, options);
      await cluster.pass(35_000, 1000);
      expect(await cluster.pod('p')).toBeUndefined();
      expect(historyViolations(cluster.commits)).toEqual([]);
      expect(cluster.problems).toEqual([]);
      // Its room and its address are free again.
      await cluster.create(storyPod('q', { container: { resources: { requests: { cpu: '32' } } } }));
      await cluster.pass(2000, 100);
      expect(summary((await cluster.pod('q')) ?? {})).toBe('Running c:running#0 +ready');
    }
  },
);

test('a node deleted under its pods: they fail and are deleted; one with a finalizer stays, failed, and unchanged', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { meta: held, spec: { nodeName: 'node-1' } }));
  await cluster.create(storyPod('q', { spec: { nodeName: 'node-1' } }));
  await cluster.pass(2000, 100);
  await cluster.client.remove(nodes, { name: 'node-1' }, never);
  await cluster.pass(50_000, 1000);
  expect(await cluster.pod('q')).toBeUndefined();
  const pod = await cluster.pod('p');
  expect(at(pod, 'status', 'phase')).toBe('Failed');
  await rests(cluster, 120_000);
  await release(cluster);
  await cluster.pass(1000);
  expect(await cluster.pod('p')).toBeUndefined();
  expect(historyViolations(cluster.commits)).toEqual([]);
});

test('others who write the status too: what is theirs stays, what is the kubelet’s comes back', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { annotations: { 'crash-after': '4s', 'crash-count': '1' } }));
  await cluster.pass(8000, 250);
  expect(await shown(cluster)).toBe('Running c:running#1 +ready');
  const address = at(await cluster.pod('p'), 'status', 'podIP');
  const lies: readonly JsonObject[] = [
    { conditions: [{ type: 'Ready', status: 'False' }] },
    { conditions: [{ type: 'ContainersReady', status: 'False' }] },
    { phase: 'Pending' },
    { podIP: '1.2.3.4' },
  ];
  for (const status of lies) {
    const patch = { type: 'strategic', body: { status }, subresource: 'status' } as const;
    await cluster.client.patch(pods, key, patch, never);
    await cluster.pass(2000, 250);
    expect(await shown(cluster)).toBe('Running c:running#1 +ready');
  }
  expect(at(await cluster.pod('p'), 'status', 'podIP')).toBe(address);
  expect(await readyCount(cluster.pod('p'))).toBe(1);
});

async function readyCount(found: Promise<KubeObject | undefined>): Promise<number> {
  return listAt(await found, 'status', 'containerStatuses')
    .filter(isObject)
    .filter((each) => each['ready'] === true).length;
}
