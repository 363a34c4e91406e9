import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import { noon } from '#kube/workload/testing/objects.ts';
import type { KubeObject } from '#kube/object.ts';
import { decideVolume, type VolumeStep } from './decide-volume.ts';

const volumeOf = (
  phase: string,
  uid: string | undefined,
  policy = 'Delete',
  annotations: JsonObject = {},
): KubeObject => ({
  metadata: { name: 'v', annotations },
  spec: {
    persistentVolumeReclaimPolicy: policy,
    ...(uid === undefined ? {} : { claimRef: { namespace: 'default', name: 'data', uid } }),
  },
  status: { phase },
});
const claimOf = (volumeName: string): KubeObject => ({
  metadata: { name: 'data', namespace: 'default', uid: 'u' },
  spec: { volumeName },
});
const ours = { 'pv.kubernetes.io/provisioned-by': 'example.com/disk' };

const told = (step: VolumeStep): string | undefined =>
  step.type === 'set status' ? textAt(step.status, 'phase') : step.type;

test.for<readonly [string, KubeObject, KubeObject | undefined, string]>([
  ['free', volumeOf('Pending', undefined), undefined, 'Available'],
  ['waiting for a claim', volumeOf('Pending', ''), undefined, 'Available'],
  ['still free', volumeOf('Available', undefined), undefined, 'none'],
  ['taken, and the claim knows', volumeOf('Available', 'u'), claimOf('v'), 'Bound'],
  ['taken, and the claim does not know yet', volumeOf('Available', 'u'), claimOf(''), 'none'],
  ['left by its claim', volumeOf('Bound', 'u', 'Delete', ours), undefined, 'Released'],
  [
    'left, and another of the name came',
    volumeOf('Bound', 'before', 'Delete', ours),
    claimOf('v'),
    'Released',
  ],
  ['released and ours', volumeOf('Released', 'u', 'Delete', ours), undefined, 'delete'],
  ['released and kept', volumeOf('Released', 'u', 'Retain', ours), undefined, 'none'],
  ['released and somebody’s', volumeOf('Released', 'u'), undefined, 'none'],
])('%s', ([, volume, claim, expected]) => {
  expect(told(decideVolume(volume, claim, noon))).toBe(expected);
});
