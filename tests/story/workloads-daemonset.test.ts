import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { openWorkloadWorld, templateOf, type Reply, type WorkloadWorld } from '../support/workload-world.ts';
import { targetNode } from '#embedded/controllers/daemonset/daemon-pod.ts';

const apps = '/apis/apps/v1/namespaces/default';
const path = `${apps}/daemonsets/agent`;

const setOf = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: { selector: { matchLabels: { app: 'x' } }, template: templateOf('img:1'), ...spec },
});
const addNode = (world: WorkloadWorld, name: string, spec: JsonObject = {}): Promise<JsonObject> =>
  world.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });

const isUp =
  (count: number) =>
  ({ body }: Reply): boolean =>
    numberAt(body, 'status', 'desiredNumberScheduled') === count &&
    (numberAt(body, 'status', 'numberAvailable') ?? 0) === count &&
    (numberAt(body, 'status', 'updatedNumberScheduled') ?? 0) === count;

const where = (world: WorkloadWorld): readonly string[] => world.pods().map(targetNode).toSorted();

test('a pod on every node: nodes come, repel and go', async () => {
  await using world = await openWorkloadWorld();
  for (const name of ['a', 'b']) await addNode(world, name);
  await addNode(world, 'c', { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] });
  await world.create(`${apps}/daemonsets`, setOf());
  await world.until(path, isUp(2));
  expect(where(world)).toEqual(['a', 'b']);

  await addNode(world, 'd');
  await world.until(path, isUp(3));
  expect(where(world)).toEqual(['a', 'b', 'd']);

  await world.patch('/api/v1/nodes/a', { spec: { taints: [{ key: 'broken', effect: 'NoExecute' }] } });
  await world.until(path, isUp(2));
  expect(where(world)).toEqual(['b', 'd']);

  await world.request('DELETE', '/api/v1/nodes/d');
  await world.until(path, isUp(1));
  expect(where(world)).toEqual(['b']);
});

test('an update replaces one pod at a time', async () => {
  await using world = await openWorkloadWorld();
  for (const name of ['a', 'b', 'c']) await addNode(world, name);
  await world.create(`${apps}/daemonsets`, setOf());
  await world.until(path, isUp(3));
  let fewest = 3;
  world.onChange(() => {
    fewest = Math.min(
      fewest,
      world.pods().filter((pod) => textAt(pod, 'status', 'phase') === 'Running').length,
    );
  });
  await world.patch(path, { spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } } });
  await world.until(
    path,
    (reply) => isUp(3)(reply) && numberAt(reply.body, 'status', 'observedGeneration') === 2,
  );
  expect(world.pods().map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image'))).toEqual([
    'img:2',
    'img:2',
    'img:2',
  ]);
  expect(fewest).toBe(2);
  expect(await world.items(`${apps}/controllerrevisions`)).toHaveLength(2);
});
