import { expect, test } from 'vitest';
import { claimKeysOf } from '#embedded/controllers/pvc/claim-users.ts';
import { claimFinalizer, isClaimUsed, isVolumeUsed, release } from './in-use.ts';

const claim = { metadata: { name: 'data', namespace: 'a' } };
const pod = (spec: object, phase = 'Running'): never =>
  ({ metadata: { namespace: 'a' }, spec, status: { phase } }) as never;
const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];

test.for([
  { name: 'a running pod on a node uses its claim', pods: [pod({ nodeName: 'n', volumes })], used: true },
  { name: 'a pod without a node does not yet', pods: [pod({ volumes })], used: false },
  {
    name: 'a pod that has ended does not any more',
    pods: [pod({ nodeName: 'n', volumes }, 'Failed')],
    used: false,
  },
  { name: 'another claim is another matter', pods: [pod({ nodeName: 'n', volumes: [] })], used: false },
])('$name', ({ pods, used }) => {
  expect(isClaimUsed(claim, pods)).toBe(used);
});

const going = (finalizers: readonly string[]): never =>
  ({
    metadata: { name: 'data', resourceVersion: '7', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers },
  }) as never;

test('a deleted claim that is not used loses its finalizer, and only that one', () => {
  expect(release(going(['x.io/a', claimFinalizer]), claimFinalizer, false)).toEqual({
    metadata: { resourceVersion: '7', finalizers: ['x.io/a'] },
  });
});

test.for([
  ['in use', going([claimFinalizer]), true],
  ['not deleted', { metadata: { name: 'data', finalizers: [claimFinalizer] } }, false],
  ['without the finalizer', going(['x.io/a']), false],
] as const)('nothing is done to a claim %s', ([, object, used]) => {
  expect(release(object, claimFinalizer, used)).toBeUndefined();
});

test('a volume is used while it is bound', () => {
  expect([
    isVolumeUsed({ status: { phase: 'Bound' } }),
    isVolumeUsed({ status: { phase: 'Released' } }),
  ]).toEqual([true, false]);
});

test('claims of a pod are named with their namespace', () => {
  expect(claimKeysOf(pod({ volumes: [...volumes, { name: 'e', emptyDir: {} }] }))).toEqual(['a/data']);
});
