import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { annotationsOf } from '#kube/object.ts';
import { openWorkloadWorld, type Reply } from '../support/workload-world.ts';

const core = '/api/v1/namespaces/default';
const claimPath = `${core}/persistentvolumeclaims/data`;
const volumes = '/api/v1/persistentvolumes';

const claimOf = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'fast',
    ...spec,
  },
});
const classOf = (volumeBindingMode: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'example.com/disk',
  volumeBindingMode,
  ...more,
});
const isBound = ({ body }: Reply): boolean => textAt(body, 'status', 'phase') === 'Bound';

test('a claim is given a new volume at once, and both go together', async () => {
  await using world = await openWorkloadWorld();
  await world.create('/apis/storage.k8s.io/v1/storageclasses', classOf('Immediate'));
  await world.create(`${core}/persistentvolumeclaims`, claimOf());
  const bound = await world.until(claimPath, isBound);
  expect(objectAt(bound, 'status')).toMatchObject({
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
  });
  expect(annotationsOf(bound)).toMatchObject({
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
    'volume.kubernetes.io/storage-provisioner': 'example.com/disk',
  });
  const name = textAt(bound, 'spec', 'volumeName') ?? '';
  expect(name).toBe(`pvc-${textAt(bound, 'metadata', 'uid')}`);
  await world.until(`${volumes}/${name}`, isBound);
  await world.request('DELETE', claimPath);
  await world.until(claimPath, ({ status }) => status === 404);
  await world.until(`${volumes}/${name}`, ({ status }) => status === 404);
});

test('a patient class waits for the first pod', async () => {
  await using world = await openWorkloadWorld();
  await world.create(
    '/apis/storage.k8s.io/v1/storageclasses',
    classOf('WaitForFirstConsumer', { reclaimPolicy: 'Retain' }),
  );
  await world.create(`${core}/persistentvolumeclaims`, claimOf());
  await world.until(`${core}/events`, ({ body }) =>
    listAt(body, 'items').some((each) => textAt(each, 'reason') === 'WaitForFirstConsumer'),
  );
  expect(await world.items(volumes)).toEqual([]);
  await world.create(`${core}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'user' },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
  await world.until(claimPath, isBound);
  // The claim in use stays until its pod is gone; the volume is kept.
  await world.request('DELETE', claimPath);
  await world.pass(5);
  expect((await world.request('GET', claimPath)).status).toBe(200);
  await world.request('DELETE', `${core}/pods/user?gracePeriodSeconds=0`);
  await world.until(claimPath, ({ status }) => status === 404);
  await world.until(
    volumes,
    ({ body }) => textAt(listAt(body, 'items')[0], 'status', 'phase') === 'Released',
  );
});

test('a volume that is there is taken; a class that comes late is not too late', async () => {
  await using world = await openWorkloadWorld();
  await world.create(volumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '5Gi' },
      storageClassName: 'slow',
      hostPath: { path: '/d' },
    },
  });
  await world.until(`${volumes}/disk`, ({ body }) => textAt(body, 'status', 'phase') === 'Available');
  await world.create(`${core}/persistentvolumeclaims`, claimOf({ storageClassName: 'slow' }));
  const bound = await world.until(claimPath, isBound);
  expect([textAt(bound, 'spec', 'volumeName'), textAt(bound, 'status', 'capacity', 'storage')]).toEqual([
    'disk',
    '5Gi',
  ]);
  const second = { ...claimOf(), metadata: { name: 'later' } };
  await world.create(`${core}/persistentvolumeclaims`, second);
  await world.pass(1);
  await world.create('/apis/storage.k8s.io/v1/storageclasses', classOf('Immediate'));
  await world.until(`${core}/persistentvolumeclaims/later`, isBound);
});
