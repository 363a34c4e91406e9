import { expect, test } from 'vitest';
import { at, listAt, textAt } from '#base/json.ts';
import { resourceVersionOf } from '#kube/object.ts';
import { conditionOf, containerOf, never, openNodes, pods, storyPod } from '../support/nodes-cluster.ts';
import { summary } from '#embedded/nodes/testing/history-lines.ts';

const key = { namespace: 'default', name: 'p' };

test('a pod is scheduled, pulled and started, with the events of a cluster', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { annotations: { 'log-line': 'listening' } }));
  await cluster.pass(1000, 50);
  const pod = await cluster.pod('p');
  expect(summary(pod ?? {})).toBe('Running c:running#0 +ready');
  expect(await cluster.told('p')).toEqual([
    'Scheduled x1',
    'Pulling x1',
    'Pulled x1',
    'Created x1',
    'Started x1',
  ]);
  expect(textAt(pod, 'status', 'podIP')).toMatch(/^10\.128\.[0-2]\.2$/);
  expect(textAt(pod, 'status', 'hostIP')).toMatch(/^10\.0\.0\.[1-3]$/);
  expect(cluster.nodes.logs.read({ pod: pod ?? {}, container: 'c' })).toBe(
    'container c of pod default/p started from app:1\nlistening\n',
  );

  await cluster.client.remove(pods, key, never);
  await cluster.pass(1000, 50);
  expect(await cluster.pod('p')).toBeUndefined();
  expect(await cluster.told('p')).toContain('Killing x1');
  expect(cluster.problems).toEqual([]);
});

test('instant: a bind and one status make a pod ready', async () => {
  await using cluster = await openNodes();
  const before = cluster.commits.length;
  await cluster.create(storyPod('p'));
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
  expect(cluster.commits.length - before).toBe(3);
});

test('readiness gates are opened by others, and only by them', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { spec: { readinessGates: [{ conditionType: 'example.com/g' }] } }));
  expect(conditionOf(await cluster.pod('p'), 'Ready')).toMatchObject({ status: 'False' });
  expect(conditionOf(await cluster.pod('p'), 'example.com/g')).toBeUndefined();
  const patch = async (status: string): Promise<void> => {
    const body = { status: { conditions: [{ type: 'example.com/g', status }] } };
    await cluster.client.patch(pods, key, { type: 'strategic', body, subresource: 'status' }, never);
    await cluster.pass(1000);
  };
  await patch('True');
  expect(conditionOf(await cluster.pod('p'), 'Ready')).toMatchObject({ status: 'True' });
  await patch('False');
  expect(conditionOf(await cluster.pod('p'), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'the status of pod readiness gate "example.com/g" is not "True", but False',
  });
});

test('another image restarts that container in place, whatever the policy', async () => {
  for (const restartPolicy of ['Always', 'OnFailure', 'Never']) {
    await using cluster = await openNodes({ profile: 'fast' });
    await cluster.create(
      storyPod('p', {
        spec: {
          restartPolicy,
          containers: [
            { name: 'c', image: 'app:1' },
            { name: 'd', image: 'app:1' },
          ],
        },
      }),
    );
    await cluster.pass(2000, 100);
    const before = await cluster.pod('p');
    const body = { spec: { containers: [{ name: 'c', image: 'app:2' }] } };
    await cluster.client.patch(pods, key, { type: 'strategic', body }, never);
    await cluster.pass(2000, 100);
    const after = await cluster.pod('p');
    expect(summary(after ?? {})).toBe('Running c:running#1 d:running#0 +ready');
    const [c, d] = listAt(after, 'status', 'containerStatuses');
    const [oldC, oldD] = listAt(before, 'status', 'containerStatuses');
    expect(d).toEqual(oldD);
    expect(at(c, 'imageID')).not.toBe(at(oldC, 'imageID'));
    expect(at(c, 'containerID')).not.toBe(at(oldC, 'containerID'));
    expect(at(c, 'lastState', 'terminated', 'containerID')).toBe(at(oldC, 'containerID'));
    expect(conditionOf(after, 'Ready')?.['lastTransitionTime']).not.toBe(
      conditionOf(before, 'Ready')?.['lastTransitionTime'],
    );
    expect(cluster.problems).toEqual([]);
  }
});

test('a pod that fits nowhere has the reason in a condition, and is scheduled when it fits', async () => {
  await using cluster = await openNodes();
  const setCordon = async (isCordoned: boolean): Promise<void> => {
    for (const name of ['node-1', 'node-2', 'node-3']) {
      const body = { spec: { unschedulable: isCordoned } };
      await cluster.client.patch(
        { group: '', version: 'v1', plural: 'nodes', namespaced: false },
        { name },
        { type: 'merge', body },
        never,
      );
    }
    await cluster.pass(1000);
  };
  await setCordon(true);
  await cluster.create(storyPod('p'));
  expect(conditionOf(await cluster.pod('p'), 'PodScheduled')).toMatchObject({
    status: 'False',
    reason: 'Unschedulable',
    message:
      '0/3 nodes are available: 3 node(s) were unschedulable. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  });
  expect(await cluster.told('p')).toEqual(['FailedScheduling x1']);
  await setCordon(false);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});

test('gated pods wait for their gates', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { spec: { schedulingGates: [{ name: 'example.com/wait' }] } }));
  expect(conditionOf(await cluster.pod('p'), 'PodScheduled')).toMatchObject({ reason: 'SchedulingGated' });
  const patch = { type: 'json', body: [{ op: 'remove', path: '/spec/schedulingGates' }] } as const;
  await cluster.client.patch(pods, key, patch, never);
  await cluster.pass(1000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});

test('pods fill the nodes evenly, and no further than they can', async () => {
  await using cluster = await openNodes({
    shape: { cpu: '2', memory: '4Gi', pods: 110, ephemeralStorage: '1Gi' },
  });
  const resources = { requests: { cpu: '500m' } };
  for (let i = 0; i < 13; i += 1) await cluster.create(storyPod(`p-${i}`, { container: { resources } }));
  const listed = await cluster.client.list(pods, { namespace: 'default' }, never);
  const all = listed.type === 'ok' ? listed.items : [];
  const counts = Map.groupBy(all, (pod) => textAt(pod, 'spec', 'nodeName') ?? 'nowhere');
  expect([...counts].map(([node, on]) => `${node} ${on.length}`).sort()).toEqual([
    'node-1 4',
    'node-2 4',
    'node-3 4',
    'nowhere 1',
  ]);
  await cluster.client.remove(pods, { namespace: 'default', name: 'p-0' }, never);
  await cluster.pass(1000);
  const last = await cluster.pod('p-12');
  expect(summary(last ?? {})).toBe('Running c:running#0 +ready');
});

test('the nodes can be killed at any moment: no restart is lost or counted twice', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { annotations: { 'crash-after': '3s' } }));
  const runs = new Map<number, Set<unknown>>();
  for (let i = 0; i < 90; i += 1) {
    await cluster.pass(700 + (i % 7) * 130, 100);
    if (i % 3 === 0) await cluster.restart();
    const status = containerOf(await cluster.pod('p'));
    const count = Number(status['restartCount']);
    runs.set(count, (runs.get(count) ?? new Set()).add(status['containerID']));
  }
  expect([...runs.values()].every((ids) => ids.size === 1)).toBe(true);
  const counts = [...runs.keys()];
  expect(counts).toEqual(counts.toSorted((left, right) => left - right));
  expect(Math.max(...counts)).toBe(4);
  expect(cluster.problems).toEqual([]);
});

test('a deletion begun before a restart is finished after it', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { annotations: { 'term-duration': '10s' } }));
  await cluster.client.remove(pods, key, never);
  await cluster.pass(4000);
  expect(conditionOf(await cluster.pod('p'), 'Ready')).toMatchObject({ status: 'False' });
  await cluster.restart();
  await cluster.pass(4000);
  expect(await cluster.pod('p')).toBeDefined();
  await cluster.pass(3000);
  expect(await cluster.pod('p')).toBeUndefined();
});

test('a finalizer of others keeps the pod; its containers end anyway', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { meta: { finalizers: ['example.com/hold'] } }));
  await cluster.client.remove(pods, key, never);
  await cluster.pass(2000);
  const held = await cluster.pod('p');
  expect(summary(held ?? {})).toBe('Succeeded c:exit0#0 -ready');
  expect(at(held, 'metadata', 'deletionGracePeriodSeconds')).toBe(0);
  await cluster.pass(60_000, 10_000);
  expect(resourceVersionOf((await cluster.pod('p')) ?? {})).toBe(resourceVersionOf(held ?? {}));
  await cluster.client.patch(pods, key, { type: 'merge', body: { metadata: { finalizers: null } } }, never);
  await cluster.pass(1000);
  expect(await cluster.pod('p')).toBeUndefined();
});

test('conditions of concurrent writers are kept', async () => {
  await using cluster = await openNodes({ profile: 'fast' });
  await cluster.create(storyPod('p', { annotations: { 'crash-after': '500ms', probe: 'flap:300ms' } }));
  for (let i = 0; i < 40; i += 1) {
    const body = { status: { conditions: [{ type: `example.com/c${i}`, status: 'True' }] } };
    const patch = { type: 'strategic', body, subresource: 'status' } as const;
    const writing = cluster.client.patch(pods, key, patch, never);
    await cluster.pass(200, 40);
    await writing;
  }
  const pod = await cluster.pod('p');
  for (let i = 0; i < 40; i += 1)
    expect(conditionOf(pod, `example.com/c${i}`)).toMatchObject({ status: 'True' });
  expect(Number(containerOf(pod)['restartCount'])).toBe(1);
  expect(cluster.problems).toEqual([]);
});

test('a pod deleted and made again under its name is another pod', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { annotations: { 'crash-after': '1s' } }));
  await cluster.pass(5000);
  const first = containerOf(await cluster.pod('p'));
  await cluster.client.remove(pods, key, never, { gracePeriodSeconds: 0 });
  await cluster.create(storyPod('p'));
  const second = containerOf(await cluster.pod('p'));
  expect(first['restartCount']).toBe(1);
  expect(second['restartCount']).toBe(0);
  expect(second['containerID']).not.toBe(first['containerID']);
});

test('a container can be crashed on demand, and its last run is there to be read', async () => {
  await using cluster = await openNodes();
  const pod = await cluster.create(storyPod('p'));
  await cluster.pass(5000);
  await cluster.nodes.crash(key, undefined, never);
  await cluster.pass(1000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#1 +ready');
  expect(cluster.nodes.logs.read({ pod, container: 'c', previous: true })).toBe(
    'container c of pod default/p started from app:1\ncontainer c ended with code 1 (Error)\n',
  );
  expect(cluster.nodes.logs.read({ pod, container: 'c' })).toBe(
    'container c of pod default/p started from app:1\n',
  );
  await expect(cluster.nodes.crash({ ...key, name: 'ghost' }, undefined, never)).rejects.toThrow('not found');
});

test('invalid tuning is reported, and the rest counts', async () => {
  await using cluster = await openNodes();
  await cluster.create(storyPod('p', { annotations: { 'crash-after': 'soon', 'ready-delay': '5s' } }));
  expect(await cluster.told('p')).toEqual(['InvalidSimulation x1']);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 -ready');
  await cluster.pass(5000);
  expect(summary((await cluster.pod('p')) ?? {})).toBe('Running c:running#0 +ready');
});

test('lifecycle hooks are reported to subscribers', async () => {
  const ran: string[] = [];
  await using cluster = await openNodes({
    onHook: (_pod, { container, hook }) => ran.push(`${container} ${hook}`),
  });
  const lifecycle = {
    postStart: { exec: { command: ['true'] } },
    preStop: { sleep: { seconds: 3 } },
  };
  await cluster.create(storyPod('p', { container: { lifecycle } }));
  await cluster.client.remove(pods, key, never);
  await cluster.pass(2000);
  expect(await cluster.pod('p')).toBeDefined();
  await cluster.pass(2000);
  expect(await cluster.pod('p')).toBeUndefined();
  expect(ran).toEqual(['c postStart', 'c preStop']);
});

test('the same seed and clock give the same history, write by write', async () => {
  const history = async (seed: number): Promise<readonly string[]> => {
    await using cluster = await openNodes({ profile: 'realistic', seed });
    const scripts = [
      {},
      { 'crash-after': '4s' },
      { probe: 'flap:3s' },
      { pull: 'error' },
      { 'run-duration': '5s' },
    ];
    for (const [i, annotations] of scripts.entries()) {
      await cluster.create(storyPod(`p-${i}`, { annotations }));
      await cluster.create(storyPod(`q-${i}`, { annotations, spec: { restartPolicy: 'OnFailure' } }));
    }
    await cluster.pass(20_000, 250);
    for (let i = 0; i < 5; i += 1)
      await cluster.client.remove(pods, { namespace: 'default', name: `p-${i}` }, never);
    await cluster.pass(20_000, 250);
    return cluster.commits;
  };
  const first = await history(1);
  expect(first.length).toBeGreaterThan(60);
  expect(await history(1)).toEqual(first);
  expect(await history(2)).not.toEqual(first);
});
