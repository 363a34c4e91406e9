import { expect, test } from 'vitest';
import { at, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { nameOf } from '#kube/object.ts';
import { openWorkloadWorld, templateOf, type Reply, type WorkloadWorld } from '../support/workload-world.ts';

const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

const deployment = (replicas: number): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas, selector: { matchLabels: { app: 'x' } }, template: templateOf('img:1') },
});
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'x' }, ports: [{ port: 80, targetPort: 8080 }] },
};
const budget = (spec: JsonObject): JsonObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
});

const ready = (world: WorkloadWorld, count: number): Promise<JsonObject> =>
  world.until(slices, ({ body }) => {
    const endpoints = listAt(body, 'items').flatMap((slice) => listAt(slice, 'endpoints'));
    return (
      endpoints.filter((each) => at(each, 'conditions', 'ready') === true).length === count &&
      endpoints.length === count
    );
  });

test('endpoints follow the pods of a service', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${core}/services`, service);
  await world.until(slices, ({ body }) => listAt(body, 'items').length === 1);
  await world.create(`${apps}/deployments`, deployment(3));
  await ready(world, 3);
  const endpoints = await world.until(
    `${core}/endpoints/web`,
    ({ body }) => listAt(listAt(body, 'subsets')[0], 'addresses').length === 3,
  );
  expect(listAt(listAt(endpoints, 'subsets')[0], 'ports')).toEqual([{ port: 8080, protocol: 'TCP' }]);

  const [pod] = world.pods();
  await world.setStatus(pod ?? {}, {
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: world.now() }],
  });
  const less = await world.until(
    `${core}/endpoints/web`,
    ({ body }) => listAt(listAt(body, 'subsets')[0], 'notReadyAddresses').length === 1,
  );
  expect(listAt(listAt(less, 'subsets')[0], 'addresses')).toHaveLength(2);

  await world.patch(`${apps}/deployments/web`, { spec: { replicas: 0 } });
  await ready(world, 0);
  await world.request('DELETE', `${core}/services/web`);
  await world.until(`${core}/endpoints/web`, ({ status }) => status === 404);
  await world.until(slices, ({ body }) => listAt(body, 'items').length === 0);
});

test('many pods share slices of a hundred, in few writes', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${core}/services`, service);
  await world.create(`${apps}/deployments`, deployment(250));
  const list = await ready(world, 250);
  expect(
    listAt(list, 'items')
      .map((slice) => listAt(slice, 'endpoints').length)
      .toSorted((left, right) => right - left),
  ).toEqual([100, 100, 50]);
});

const evict = (world: WorkloadWorld, name: string): Promise<Reply> =>
  world.request('POST', `${core}/pods/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
  });

test('a budget counts, allows one eviction and refuses the next', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/deployments`, deployment(3));
  await world.create(budgets, budget({ maxUnavailable: 1 }));
  const isAllowing = ({ body }: Reply): boolean => numberAt(body, 'status', 'disruptionsAllowed') === 1;
  const counted = await world.until(`${budgets}/web`, isAllowing);
  expect(objectAt(counted, 'status')).toMatchObject({
    expectedPods: 3,
    currentHealthy: 3,
    desiredHealthy: 2,
    observedGeneration: 1,
    conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }],
  });
  const [first, second] = world.pods().map(nameOf);
  const [one, two] = await Promise.all([evict(world, first ?? ''), evict(world, second ?? '')]);
  expect([one.status, two.status]).toEqual([201, 429]);
  // The lost pod is replaced, and the budget recovers.
  await world.until(
    `${budgets}/web`,
    (reply) => isAllowing(reply) && numberAt(reply.body, 'status', 'currentHealthy') === 3,
  );
  expect(textAt(two.body, 'reason')).toBe('TooManyRequests');
});

test('a budget without pods allows nothing', async () => {
  await using world = await openWorkloadWorld();
  await world.create(budgets, budget({ minAvailable: '50%' }));
  const counted = await world.until(
    `${budgets}/web`,
    ({ body }) => numberAt(body, 'status', 'observedGeneration') === 1,
  );
  expect(objectAt(counted, 'status')).toMatchObject({
    disruptionsAllowed: 0,
    expectedPods: 0,
    conditions: [{ status: 'False' }],
  });
});

test('endpoints of a service that was deleted before the start are deleted', async () => {
  const journal = memoryJournal();
  {
    await using world = await openWorkloadWorld({ journal });
    await world.create(`${core}/services`, service);
    await world.until(`${core}/endpoints/web`, ({ status }) => status === 200);
    await world.create(`${core}/endpoints`, {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'own' },
    });
  }
  {
    await using world = await openWorkloadWorld({ journal, controllers: [] });
    await world.request('DELETE', `${core}/services/web`);
  }
  await using world = await openWorkloadWorld({ journal });
  await world.until(`${core}/endpoints/web`, ({ status }) => status === 404);
  expect(await world.request('GET', `${core}/endpoints/own`)).toMatchObject({ status: 200 });
});

test('a budget expects during a rollout the replicas of the deployment, and follows their change', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/deployments`, deployment(4));
  await world.create(budgets, budget({ maxUnavailable: 1 }));
  await world.until(`${budgets}/web`, ({ body }) => numberAt(body, 'status', 'disruptionsAllowed') === 1);
  const expected = new Set<number | undefined>();
  const look = async (): Promise<void> => {
    const { body } = await world.request('GET', `${budgets}/web`);
    expected.add(numberAt(body, 'status', 'expectedPods'));
  };
  world.onChange(() => void look());
  const template = { spec: { containers: [{ name: 'c', image: 'img:2' }] } };
  await world.patch(`${apps}/deployments/web`, { spec: { template } });
  await world.until(
    `${apps}/deployments/web`,
    ({ body }) =>
      numberAt(body, 'status', 'updatedReplicas') === 4 &&
      numberAt(body, 'status', 'replicas') === 4 &&
      numberAt(body, 'status', 'availableReplicas') === 4,
  );
  await world.pass(1);
  expect([...expected]).toEqual([4]);
});
