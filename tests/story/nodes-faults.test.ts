import { expect, test } from 'vitest';
import { at, isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import type { Resource } from '#kube/resource.ts';
import { systemTasks } from '#edge/tasks.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { summary } from '#embedded/nodes/testing/history-lines.ts';
import { startNodes, type SimulatedNodes } from '#embedded/nodes/start.ts';
import { never, openLoopCluster, turn, type LoopCluster } from '../support/loop-cluster.ts';
import { pods, storyPod } from '../support/nodes-cluster.ts';

const accounts: Resource = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };

const start = ({ frail, clock }: LoopCluster): SimulatedNodes =>
  startNodes({
    client: frail,
    clock,
    random: seededRandom(5),
    tasks: systemTasks,
    nodes: 3,
    profile: 'fast',
    timeScale: 1,
    seed: 1,
  });

async function pass(cluster: LoopCluster, span: number, step = 200): Promise<void> {
  for (let left = span; left > 0; left -= step) {
    cluster.clock.advance(millis(step));
    for (let i = 0; i < 8; i += 1) await turn();
  }
}

async function all(cluster: LoopCluster): Promise<readonly KubeObject[]> {
  const listed = await cluster.client.list(pods, { namespace: 'default' }, never);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return listed.items;
}

const scripts: readonly JsonObject[] = [
  {},
  { 'ready-delay': '2s' },
  { 'crash-after': '3s', 'crash-count': '2' },
  { 'pull-delay': '4s' },
  { probe: 'fail-first:6s' },
  { 'term-duration': '4s' },
  { 'start-delay': '3s' },
];

test('with any faults and kills, every pod ends where it would have ended', async () => {
  await using cluster = await openLoopCluster();
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace: 'default' },
  };
  await cluster.client.create(accounts, account, never);
  const random = seededRandom(11);
  let nodes = start(cluster);
  /** Every run of every pod that anybody ever saw, by pod and restart count. */
  const runs = new Map<string, Set<string>>();
  const watching = watch(cluster, runs);
  for (let i = 0; i < 42; i += 1) {
    const annotations = scripts[i % scripts.length] ?? {};
    const made = await cluster.client.create(pods, storyPod(`p-${i}`, { annotations }), never);
    expect(made.type).toBe('ok');
    await pass(cluster, 400);
    const dice = random.next();
    if (dice < 0.25) cluster.drop();
    if (dice > 0.6) cluster.fail(3);
    if (i % 6 === 5) {
      await nodes.close();
      nodes = start(cluster);
    }
    if (i % 5 === 4) await cluster.client.remove(pods, { namespace: 'default', name: `p-${i - 2}` }, never);
  }
  await pass(cluster, 180_000, 500);
  const left = await all(cluster);
  const deleted = Array.from({ length: 42 }, (_, i) => i).flatMap((i) => (i % 5 === 4 ? [`p-${i - 2}`] : []));
  expect(left.map(nameOf).filter((name) => deleted.includes(name))).toEqual([]);
  expect(left).toHaveLength(42 - deleted.length);
  for (const pod of left) {
    const crashes = at(pod, 'metadata', 'annotations', 'sim.boathook.dev/crash-count') === undefined ? 0 : 2;
    expect(`${nameOf(pod)} ${summary(pod)}`).toBe(`${nameOf(pod)} Running c:running#${crashes} +ready`);
  }
  expect(runs.size).toBeGreaterThan(42);
  expect([...runs].filter(([, ids]) => ids.size > 1)).toEqual([]);
  await nodes.close();
  watching.abort();
});

function watch(cluster: LoopCluster, runs: Map<string, Set<string>>): AbortController {
  const leaving = new AbortController();
  void (async () => {
    for await (const event of cluster.client.watch(
      pods,
      { namespace: 'default', resourceVersion: '0' },
      leaving.signal,
    )) {
      if (!('object' in event)) return;
      const pod = event.object;
      const status = listAt(pod, 'status', 'containerStatuses').filter(isObject)[0];
      if (objectAt(status, 'state', 'running') === undefined) continue;
      const key = `${nameOf(pod)}#${numberAt(status, 'restartCount')}`;
      runs.set(key, (runs.get(key) ?? new Set()).add(textAt(status, 'containerID') ?? ''));
    }
  })().catch(() => undefined);
  return leaving;
}
