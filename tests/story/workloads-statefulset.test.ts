import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { openWorkloadWorld, templateOf, type Reply, type WorkloadWorld } from '../support/workload-world.ts';

const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const path = `${apps}/statefulsets/db`;

const setOf = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: { app: 'x' } },
    template: templateOf('img:1'),
    ...spec,
  },
});
const claimTemplate = {
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    resources: { requests: { storage: '1Gi' } },
  },
};
const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'example.com/disk',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const isReady =
  (replicas: number) =>
  ({ body }: Reply): boolean =>
    numberAt(body, 'status', 'replicas') === replicas &&
    (numberAt(body, 'status', 'readyReplicas') ?? 0) === replicas;

/** The names of the pods, every time they change. */
function record(world: WorkloadWorld): string[] {
  const history: string[] = [];
  world.onChange(() => {
    const names = world.pods().map(nameOf).toSorted().join(' ');
    if (history.at(-1) !== names) history.push(names);
  });
  return history;
}

const images = (world: WorkloadWorld): readonly string[] =>
  world
    .pods()
    .map((pod) => `${nameOf(pod)} ${textAt(listAt(pod, 'spec', 'containers')[0], 'image')}`)
    .toSorted();

test('pods come one by one, each with its claim, and go in reverse', async () => {
  await using world = await openWorkloadWorld();
  const history = record(world);
  await world.create('/apis/storage.k8s.io/v1/storageclasses', storageClass);
  await world.create(`${apps}/statefulsets`, setOf({ volumeClaimTemplates: [claimTemplate] }));
  const up = await world.until(path, isReady(3));
  expect(history).toEqual(['', 'db-0', 'db-0 db-1', 'db-0 db-1 db-2'].slice(history[0] === '' ? 0 : 1));
  expect(textAt(up, 'status', 'currentRevision')).toBe(textAt(up, 'status', 'updateRevision'));
  expect(labelsOf(world.pods()[0] ?? {})['controller-revision-hash']).toBe(
    textAt(up, 'status', 'updateRevision'),
  );

  const claims = await world.until(`${core}/persistentvolumeclaims`, ({ body }) =>
    listAt(body, 'items').every((each) => textAt(each, 'status', 'phase') === 'Bound'),
  );
  expect(listAt(claims, 'items').map((each) => nameOf(each as KubeObject))).toEqual([
    'data-db-0',
    'data-db-1',
    'data-db-2',
  ]);

  history.length = 0;
  await world.patch(path, { spec: { replicas: 1 } });
  await world.until(path, isReady(1));
  expect(history.filter((each) => each !== 'db-0 db-1 db-2')).toEqual(['db-0 db-1', 'db-0']);
  expect(await world.items(`${core}/persistentvolumeclaims`)).toHaveLength(3);
});

test('an update proceeds from the end to the partition and is finished later', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/statefulsets`, setOf({ updateStrategy: { rollingUpdate: { partition: 2 } } }));
  await world.until(path, isReady(3));
  await world.patch(path, { spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } } });
  const half = await world.until(
    path,
    (reply) => isReady(3)(reply) && numberAt(reply.body, 'status', 'updatedReplicas') === 1,
  );
  expect(images(world)).toEqual(['db-0 img:1', 'db-1 img:1', 'db-2 img:2']);
  expect(textAt(half, 'status', 'currentRevision')).not.toBe(textAt(half, 'status', 'updateRevision'));

  // Below the partition a lost pod comes back as it was.
  await world.request('DELETE', `${core}/pods/db-0`);
  await world.pass(0);
  await world.until(
    path,
    (reply) => isReady(3)(reply) && numberAt(reply.body, 'status', 'updatedReplicas') === 1,
  );
  expect(images(world)[0]).toBe('db-0 img:1');

  const history = record(world);
  await world.patch(path, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  const done = await world.until(
    path,
    (reply) => isReady(3)(reply) && numberAt(reply.body, 'status', 'updatedReplicas') === 3,
  );
  expect(images(world)).toEqual(['db-0 img:2', 'db-1 img:2', 'db-2 img:2']);
  expect(textAt(done, 'status', 'currentRevision')).toBe(textAt(done, 'status', 'updateRevision'));
  expect(history.filter((each) => each !== 'db-0 db-1 db-2')).toEqual(['db-0 db-2', 'db-1 db-2']);
  expect(await world.items(`${apps}/controllerrevisions`)).toHaveLength(2);
});

test('a rollback uses the old revision again', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${apps}/statefulsets`, setOf({ replicas: 1, revisionHistoryLimit: 1 }));
  const first = textAt(await world.until(path, isReady(1)), 'status', 'updateRevision');
  for (const image of ['img:2', 'img:1', 'img:3', 'img:4']) {
    await world.patch(path, { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } });
    const rolled = await world.until(
      path,
      (reply) =>
        isReady(1)(reply) &&
        images(world)[0] === `db-0 ${image}` &&
        textAt(reply.body, 'status', 'currentRevision') === textAt(reply.body, 'status', 'updateRevision'),
    );
    if (image === 'img:1') expect(textAt(rolled, 'status', 'updateRevision')).toBe(first);
  }
  await world.until(`${apps}/controllerrevisions`, ({ body }) => listAt(body, 'items').length === 2);
});

test('parallel pods are created at once, and claims are deleted with the set if its policy requires it', async () => {
  await using world = await openWorkloadWorld();
  await world.create('/apis/storage.k8s.io/v1/storageclasses', {
    ...storageClass,
    volumeBindingMode: 'Immediate',
  });
  await world.create(
    `${apps}/statefulsets`,
    setOf({
      podManagementPolicy: 'Parallel',
      ordinals: { start: 5 },
      volumeClaimTemplates: [claimTemplate],
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
    }),
  );
  await world.until(path, isReady(3));
  expect(images(world)).toEqual(['db-5 img:1', 'db-6 img:1', 'db-7 img:1']);
  await world.until(
    '/api/v1/persistentvolumes',
    ({ body }) =>
      listAt(body, 'items').filter((each) => textAt(each, 'status', 'phase') === 'Bound').length === 3,
  );

  await world.patch(path, { spec: { replicas: 2 } });
  await world.until(`${core}/persistentvolumeclaims`, ({ body }) => listAt(body, 'items').length === 2);
  await world.until('/api/v1/persistentvolumes', ({ body }) => listAt(body, 'items').length === 2);

  await world.request('DELETE', path);
  await world.until(`${core}/persistentvolumeclaims`, ({ body }) => listAt(body, 'items').length === 0);
  await world.until(`${core}/pods`, ({ body }) => listAt(body, 'items').length === 0);
});

test('a name that another object has is used as soon as it is free', async () => {
  await using world = await openWorkloadWorld();
  const other = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db-0', labels: { app: 'other' } } };
  await world.create(`${core}/pods`, { ...other, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await world.create(`${apps}/statefulsets`, setOf({ replicas: 1 }));
  await world.pass(20);
  expect(world.pods().map((pod) => labelsOf(pod)['app'])).toEqual(['other']);
  await world.request('DELETE', `${core}/pods/db-0?gracePeriodSeconds=0`);
  await world.until(path, isReady(1));
  expect(world.pods().map((pod) => labelsOf(pod)['app'])).toEqual(['x']);
});

test('a claim that another controller owns keeps its owner, and the set comes up and scales', async () => {
  await using world = await openWorkloadWorld();
  const owner = {
    apiVersion: 'backups.example.com/v1',
    kind: 'Backup',
    name: 'nightly',
    uid: '0b0e7e5c-2f4e-4c1b-9a77-1a9c1f7f8f00',
    controller: true,
  };
  await world.create('/apis/storage.k8s.io/v1/storageclasses', storageClass);
  for (const name of ['data-db-0', 'data-db-1']) {
    await world.create(`${core}/persistentvolumeclaims`, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, ownerReferences: [owner] },
      spec: claimTemplate.spec,
    });
  }
  const set = setOf({
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
  });
  await world.create(`${apps}/statefulsets`, set);
  await world.until(path, isReady(3));
  await world.until(`${core}/events`, ({ body }) =>
    listAt(body, 'items').some(
      (event) =>
        textAt(event, 'reason') === 'ConflictingController' &&
        textAt(event, 'message') ===
          'PersistentVolumeClaim data-db-1 has a conflicting OwnerReference that acts as a managing controller, the retention policy is ignored for this claim',
    ),
  );
  await world.patch(path, { spec: { replicas: 1 } });
  await world.until(path, isReady(1));
  const claims = await world.until(
    `${core}/persistentvolumeclaims`,
    ({ body }) => listAt(body, 'items').length === 2,
  );
  expect(
    listAt(claims, 'items').map((each) => [
      nameOf(each as KubeObject),
      listAt(each, 'metadata', 'ownerReferences').map((reference) => textAt(reference, 'kind')),
    ]),
  ).toEqual([
    ['data-db-0', ['Backup']],
    ['data-db-1', ['Backup']],
  ]);
});
