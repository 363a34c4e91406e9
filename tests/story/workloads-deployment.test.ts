import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { annotationsOf, isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { openWorkloadWorld, templateOf, type Reply, type WorkloadWorld } from '../support/workload-world.ts';

const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const path = `${apps}/deployments/web`;

const deploymentOf = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 10, selector: { matchLabels: { app: 'x' } }, template: templateOf('img:1'), ...spec },
});

const isRolledOut =
  (replicas: number, generation: number) =>
  ({ body }: Reply): boolean =>
    numberAt(body, 'status', 'updatedReplicas') === replicas &&
    numberAt(body, 'status', 'replicas') === replicas &&
    numberAt(body, 'status', 'availableReplicas') === replicas &&
    numberAt(body, 'status', 'observedGeneration') === generation;

const conditionsOf = (body: JsonObject): readonly string[] =>
  listAt(body, 'status', 'conditions').map(
    (each) => `${textAt(each, 'type')} ${textAt(each, 'status')} ${textAt(each, 'reason')}`,
  );

const setsOf = async (world: WorkloadWorld): Promise<readonly string[]> =>
  (await world.items(`${apps}/replicasets`))
    .map((set) => {
      const image = textAt(listAt(set, 'spec', 'template', 'spec', 'containers')[0], 'image');
      return `${annotationsOf(set)['deployment.kubernetes.io/revision']} ${image} ${numberAt(set, 'spec', 'replicas')}`;
    })
    .toSorted();

const isAvailable = (pod: KubeObject): boolean =>
  listAt(pod, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );

test('a deployment comes up, is updated, and is rolled back; its pods never leave the limits', async () => {
  await using world = await openWorkloadWorld();
  await world.create(
    `${apps}/deployments`,
    deploymentOf({ strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }),
  );
  const up = await world.until(path, isRolledOut(10, 1));
  expect(annotationsOf(up)).toEqual({ 'deployment.kubernetes.io/revision': '1' });
  const counts = new Set<string>();
  world.onChange(() => {
    const active = world.pods().filter((pod) => !isDeleting(pod));
    counts.add(`${active.length} ${active.filter(isAvailable).length}`);
  });

  await world.patch(path, { spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } } });
  const rolled = await world.until(path, isRolledOut(10, 2));
  expect(await setsOf(world)).toEqual(['1 img:1 0', '2 img:2 10']);
  expect(conditionsOf(rolled)).toEqual([
    'Available True MinimumReplicasAvailable',
    'Progressing True NewReplicaSetAvailable',
  ]);

  await world.patch(path, { spec: { template: { spec: { containers: [{ name: 'c', image: 'img:1' }] } } } });
  const back = await world.until(path, isRolledOut(10, 3));
  expect(await setsOf(world)).toEqual(['2 img:2 0', '3 img:1 10']);
  expect(annotationsOf(back)['deployment.kubernetes.io/revision']).toBe('3');

  const recorded = [...counts].map((each) => each.split(' ').map(Number));
  expect(recorded.length).toBeGreaterThan(5);
  expect(Math.max(...recorded.map(([total = 0]) => total))).toBeLessThanOrEqual(13);
  expect(Math.min(...recorded.map(([, available = 0]) => available))).toBeGreaterThanOrEqual(8);

  const events = (await world.items(`${core}/events`)).map(
    (event) => `${textAt(event, 'reason')} ${textAt(event, 'source', 'component')}`,
  );
  expect(events).toContain('ScalingReplicaSet deployment-controller');
  expect(events).toContain('SuccessfulCreate replicaset-controller');
  expect(events).toContain('SuccessfulDelete replicaset-controller');
});

test('an image that never starts: the rollout stops at the limits and reports it in time', async () => {
  await using world = await openWorkloadWorld({ kubelet: false });
  await world.create(`${apps}/deployments`, deploymentOf({ replicas: 2, progressDeadlineSeconds: 60 }));
  await world.until(path, ({ body }) => numberAt(body, 'status', 'replicas') === 2);
  await world.pass(62);
  const stuck = await world.until(path, ({ body }) =>
    conditionsOf(body).some((each) => each.includes('ProgressDeadlineExceeded')),
  );
  expect(conditionsOf(stuck)).toContain('Progressing False ProgressDeadlineExceeded');
  for (const pod of world.pods()) {
    await world.setStatus(pod, {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: world.now() }],
    });
  }
  const done = await world.until(path, isRolledOut(2, 1));
  expect(conditionsOf(done)).toContain('Progressing True NewReplicaSetAvailable');
});

test('paused: nothing rolls until it is resumed', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/deployments`, deploymentOf({ replicas: 2 }));
  await world.until(path, isRolledOut(2, 1));
  await world.patch(path, {
    spec: { paused: true, template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
  });
  await world.until(path, ({ body }) => conditionsOf(body).includes('Progressing Unknown DeploymentPaused'));
  await world.patch(path, { spec: { replicas: 4 } });
  await world.until(path, ({ body }) => numberAt(body, 'status', 'availableReplicas') === 4);
  expect(await setsOf(world)).toEqual(['1 img:1 4']);
  await world.patch(path, { spec: { paused: false } });
  await world.until(path, isRolledOut(4, 4));
  expect(await setsOf(world)).toEqual(['1 img:1 0', '2 img:2 4']);
});

test('recreate: no pod of one template ever sees one of the other', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/deployments`, deploymentOf({ replicas: 3, strategy: { type: 'Recreate' } }));
  await world.until(path, isRolledOut(3, 1));
  const mixtures = new Set<string>();
  world.onChange(() => {
    const images = world.pods().map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '');
    mixtures.add([...new Set(images)].toSorted().join('+'));
  });
  await world.patch(path, { spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } } });
  await world.until(path, isRolledOut(3, 2));
  expect([...mixtures].toSorted()).toEqual(['', 'img:1', 'img:2']);
});

test('old replica sets are kept by revisionHistoryLimit', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/deployments`, deploymentOf({ replicas: 1, revisionHistoryLimit: 1 }));
  await world.until(path, isRolledOut(1, 1));
  for (const generation of [2, 3, 4]) {
    await world.patch(path, {
      spec: { template: { spec: { containers: [{ name: 'c', image: `img:${generation}` }] } } },
    });
    await world.until(path, isRolledOut(1, generation));
  }
  await world.until(`${apps}/replicasets`, ({ body }) => listAt(body, 'items').length === 2);
  expect(await setsOf(world)).toEqual(['3 img:3 0', '4 img:4 1']);
});

test('a replica set takes strays, lets go of strangers and replaces what is lost', async () => {
  await using world = await openWorkloadWorld();
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stray', labels: { app: 'x' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  await world.create(`${core}/pods`, pod);
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'rs' },
    spec: { replicas: 3, selector: { matchLabels: { app: 'x' } }, template: templateOf('i') },
  };
  await world.create(`${apps}/replicasets`, set);
  const isReady = ({ body }: Reply): boolean => numberAt(body, 'status', 'readyReplicas') === 3;
  await world.until(`${apps}/replicasets/rs`, isReady);
  expect(world.pods()).toHaveLength(3);
  expect(
    textAt(
      listAt(
        world.pods().find((each) => nameOf(each) === 'stray'),
        'metadata',
        'ownerReferences',
      )[0],
      'name',
    ),
  ).toBe('rs');
  await world.patch(`${core}/pods/stray`, { metadata: { labels: { app: 'y' } } });
  await world.until(`${core}/pods`, ({ body }) => listAt(body, 'items').length === 4);
  await world.until(
    `${core}/pods/stray`,
    ({ body }) => objectAt(body, 'metadata')?.['ownerReferences'] === undefined,
  );
  await world.until(`${apps}/replicasets/rs`, isReady);
});

test('pods that are refused: an event, a condition, and another try', async () => {
  await using world = await openWorkloadWorld();
  await world.create(
    `${apps}/deployments`,
    deploymentOf({ replicas: 1, template: templateOf('i', { app: 'x' }, { serviceAccountName: 'nobody' }) }),
  );
  const failing = await world.until(path, ({ body }) =>
    conditionsOf(body).some((each) => each.startsWith('ReplicaFailure')),
  );
  expect(conditionsOf(failing)).toContain('ReplicaFailure True FailedCreate');
  await world.create(`${core}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'nobody' },
  });
  const fine = await world.until(path, isRolledOut(1, 1));
  expect(conditionsOf(fine)).not.toContain('ReplicaFailure True FailedCreate');
});

test('deleting a deployment takes everything along', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/deployments`, deploymentOf({ replicas: 3 }));
  await world.until(path, isRolledOut(3, 1));
  await world.request('DELETE', path, { propagationPolicy: 'Foreground' });
  await world.until(path, ({ status }) => status === 404);
  expect([...world.pods(), ...(await world.items(`${apps}/replicasets`))]).toEqual([]);
});
