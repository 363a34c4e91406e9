import { expect, test } from 'vitest';
import { labelSelectorOf } from '#kube/label-selector.ts';
import { nameOf, withMeta } from '#kube/object.ts';
import { podOf, workloadOf } from './testing/objects.ts';
import { adoptPatch, claim, releasePatch } from './claim.ts';

const owner = workloadOf('ReplicaSet', 'rs', {});
const other = workloadOf('ReplicaSet', 'other', {});
const selector = labelSelectorOf({ matchLabels: { app: 'x' } });

const pods = [
  podOf({ name: 'mine', owner }),
  podOf({ name: 'lost', owner, labels: { app: 'y' } }),
  podOf({ name: 'stray' }),
  podOf({ name: 'stray-going', isDeleting: true }),
  podOf({ name: 'stray-strange', labels: { app: 'y' } }),
  podOf({ name: 'theirs', owner: other }),
];

const names = (given: typeof owner): Record<string, readonly string[]> => {
  const { owned, adopt, release } = claim(given, selector, pods);
  return { owned: owned.map(nameOf), adopt: adopt.map(nameOf), release: release.map(nameOf) };
};

test('own pods stay, matching strays are taken, strangers are let go', () => {
  expect(names(owner)).toEqual({ owned: ['mine'], adopt: ['stray'], release: ['lost'] });
});

test('an owner on its way out takes and releases nothing', () => {
  const going = withMeta(owner, { deletionTimestamp: '2026-01-05T12:00:00Z' });
  expect(names(going)).toEqual({ owned: ['mine'], adopt: [], release: [] });
});

test('an empty selector takes nothing', () => {
  expect(claim(owner, [], pods).adopt).toEqual([]);
});

test('patches name the very object, as it was seen', () => {
  const pod = withMeta(podOf({ name: 'p' }), { resourceVersion: '7' });
  expect(adoptPatch(owner, pod)).toEqual({
    metadata: {
      uid: 'uid-p',
      resourceVersion: '7',
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'rs',
          uid: 'uid-rs',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
  });
  expect(releasePatch(owner, pod)).toEqual({
    metadata: { uid: 'uid-p', resourceVersion: '7', ownerReferences: [{ $patch: 'delete', uid: 'uid-rs' }] },
  });
});
