import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { annotationsOf, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { decideClaim, type ClaimSnapshot, type ClaimStep } from './decide-claim.ts';

const claimOf = (spec: JsonObject = {}, annotations: JsonObject = {}): KubeObject => ({
  metadata: { name: 'data', namespace: 'default', uid: 'uid-data', resourceVersion: '5', annotations },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'fast',
    ...spec,
  },
  status: { phase: 'Pending' },
});
const volumeOf = (name: string, spec: JsonObject = {}): KubeObject => ({
  metadata: { name, labels: { disk: name } },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' }, storageClassName: 'fast', ...spec },
});
const storageClass: KubeObject = {
  metadata: { name: 'fast' },
  provisioner: 'example.com/disk',
  reclaimPolicy: 'Delete',
};
const patient: KubeObject = { ...storageClass, volumeBindingMode: 'WaitForFirstConsumer' };

const decide = (claim: KubeObject, more: Partial<ClaimSnapshot> = {}): ClaimStep =>
  decideClaim({ claim, storageClass, named: undefined, volumes: [], hasConsumer: false, ...more });
const told = ({ action, note }: ClaimStep): string => {
  const what = 'volume' in action ? ` ${nameOf(action.volume)}` : '';
  return `${action.type}${what}${note === undefined ? '' : ` (${note.reason})`}`;
};
const reference = (uid: string): JsonObject => ({ claimRef: { namespace: 'default', name: 'data', uid } });

test.for<readonly [string, KubeObject, Partial<ClaimSnapshot>, string]>([
  [
    'the smallest volume that will do is set aside',
    claimOf(),
    { volumes: [volumeOf('large', { capacity: { storage: '9Gi' } }), volumeOf('right')] },
    'update volume right',
  ],
  [
    'one that is too small is not',
    claimOf(),
    { volumes: [volumeOf('small', { capacity: { storage: '1Mi' } })], storageClass: undefined },
    'none (ProvisioningFailed)',
  ],
  [
    'nor one of another mode',
    claimOf({ accessModes: ['ReadWriteMany'] }),
    { volumes: [volumeOf('v')], storageClass: undefined },
    'none (ProvisioningFailed)',
  ],
  [
    'nor one that is taken',
    claimOf(),
    { volumes: [volumeOf('v', reference('uid-other'))], storageClass: undefined },
    'none (ProvisioningFailed)',
  ],
  [
    'nor one that is not selected',
    claimOf({ selector: { matchLabels: { disk: 'w' } } }),
    { volumes: [volumeOf('v')], storageClass: undefined },
    'none (ProvisioningFailed)',
  ],
  [
    'one that waits for the claim comes first',
    claimOf(),
    { volumes: [volumeOf('small', { capacity: { storage: '1Gi' } }), volumeOf('mine', reference(''))] },
    'update volume mine',
  ],
  [
    'one that refers to the claim is taken',
    claimOf(),
    { volumes: [volumeOf('mine', reference('uid-data'))] },
    'update claim',
  ],
  [
    'without a class none is provisioned',
    claimOf({ storageClassName: '' }),
    { storageClass: undefined },
    'none (FailedBinding)',
  ],
  ['with a class the provisioner is named first', claimOf(), {}, 'update claim'],
  [
    'then the volume is made',
    claimOf({}, { 'volume.kubernetes.io/storage-provisioner': 'example.com/disk' }),
    {},
    'create volume pvc-uid-data (ProvisioningSucceeded)',
  ],
  [
    'unless there is no provisioner',
    claimOf(),
    { storageClass: { ...storageClass, provisioner: 'kubernetes.io/no-provisioner' } },
    'none',
  ],
  [
    'a patient class waits for a consumer',
    claimOf(),
    { storageClass: patient, volumes: [volumeOf('v')] },
    'none (WaitForFirstConsumer)',
  ],
  [
    'and continues when there is one',
    claimOf(),
    { storageClass: patient, hasConsumer: true, volumes: [volumeOf('v')] },
    'update volume v',
  ],
  [
    'a claim that names its volume reserves it',
    claimOf({ volumeName: 'v' }),
    { named: volumeOf('v') },
    'update volume v',
  ],
  [
    'not if it is another’s',
    claimOf({ volumeName: 'v' }),
    { named: volumeOf('v', reference('uid-other')) },
    'none (FailedBinding)',
  ],
  [
    'both agree: the claim is Bound',
    claimOf({ volumeName: 'v' }),
    { named: volumeOf('v', reference('uid-data')) },
    'update claim',
  ],
  [
    'and is bound',
    claimOf({ volumeName: 'v' }, { 'pv.kubernetes.io/bind-completed': 'yes' }),
    { named: volumeOf('v', reference('uid-data')) },
    'set status',
  ],
  [
    'a lost volume is reported',
    claimOf({ volumeName: 'v' }, { 'pv.kubernetes.io/bind-completed': 'yes' }),
    {},
    'set status (ClaimLost)',
  ],
  [
    'a claim on its way out is left alone',
    withMeta(claimOf(), { deletionTimestamp: '2026-01-05T12:00:00Z' }),
    {},
    'none',
  ],
])('%s', ([, claim, more, expected]) => {
  expect(told(decide(claim, more))).toBe(expected);
});

test('a new volume is of the claim’s size and class', () => {
  const { action } = decide(claimOf({}, { 'volume.kubernetes.io/storage-provisioner': 'example.com/disk' }));
  expect(action).toMatchObject({
    volume: {
      metadata: { annotations: { 'pv.kubernetes.io/provisioned-by': 'example.com/disk' } },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'fast',
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data', uid: 'uid-data' },
      },
    },
  });
});

test('the status of a bound claim', () => {
  const { action } = decide(claimOf(), { volumes: [volumeOf('mine', reference('uid-data'))] });
  if (action.type !== 'update claim') throw new Error('the claim was expected to change');
  expect(annotationsOf(action.claim)).toEqual({
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
  });
  const bound = decide(action.claim, { named: volumeOf('mine', reference('uid-data')) });
  expect(bound.action).toEqual({
    type: 'set status',
    status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } },
  });
});
