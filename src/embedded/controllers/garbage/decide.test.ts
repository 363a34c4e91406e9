import { expect, test } from 'vitest';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import type { JsonObject } from '#base/json.ts';
import { decide, type GarbageStep } from './decide.ts';
import { nodeOf } from './node.ts';
import type { OwnerState } from './owner-state.ts';

const maps: DiscoveredResource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  verbs: [],
};

type Case = {
  readonly says: string;
  readonly owners?: readonly OwnerState[];
  readonly blocks?: boolean;
  readonly meta?: JsonObject;
  readonly hasDependents?: boolean;
  readonly isBlocked?: boolean;
  readonly isInCircle?: boolean;
  readonly step: GarbageStep;
};

const nothing: GarbageStep = { type: 'nothing' };
const drop = (...uids: string[]): GarbageStep => ({ type: 'drop owners', uids });
const remove = (policy: 'Background' | 'Foreground' | 'Orphan'): GarbageStep => ({ type: 'delete', policy });
const going = (...finalizers: string[]): JsonObject => ({
  deletionTimestamp: '2026-11-15T04:47:49Z',
  finalizers,
});
const foreground = going('foregroundDeletion');
const orphan = going('orphan');

const cases: readonly Case[] = [
  { says: 'nobody owns it', step: nothing },
  { says: 'its owner lives', owners: ['solid'], step: nothing },
  { says: 'its owner is gone', owners: ['absent'], step: remove('Background') },
  { says: 'all owners are gone', owners: ['absent', 'absent'], step: remove('Background') },
  { says: 'its owner is in another namespace', owners: ['elsewhere'], step: remove('Background') },
  { says: 'one owner of two is gone', owners: ['absent', 'solid'], step: drop('0') },
  { says: 'one owner of three lives', owners: ['elsewhere', 'solid', 'waiting'], step: drop('0', '2') },
  { says: 'the owner may appear yet', owners: ['absent', 'unknown'], step: { type: 'look later' } },
  { says: 'an owner can never be found', owners: ['absent', 'unresolvable'], step: nothing },
  { says: 'the owner waits', owners: ['waiting'], step: remove('Background') },
  {
    says: 'the owner waits, it owns too',
    owners: ['waiting'],
    hasDependents: true,
    step: remove('Foreground'),
  },
  {
    says: 'gone owner, and it owns too',
    owners: ['absent'],
    hasDependents: true,
    step: remove('Background'),
  },
  {
    says: 'its own finalizer asks for orphaning',
    owners: ['absent'],
    meta: { finalizers: ['orphan'] },
    step: remove('Orphan'),
  },
  {
    says: 'its own finalizer asks for waiting',
    owners: ['absent'],
    meta: { finalizers: ['foregroundDeletion'] },
    step: remove('Foreground'),
  },
  {
    says: 'a circle is broken before it closes',
    owners: ['waiting'],
    blocks: true,
    hasDependents: true,
    isInCircle: true,
    step: { type: 'unblock owners' },
  },
  {
    says: 'a circle that blocks no more',
    owners: ['waiting'],
    hasDependents: true,
    isInCircle: true,
    step: remove('Foreground'),
  },
  { says: 'it goes and others hold it', owners: ['absent'], meta: going('example.com/hold'), step: nothing },
  { says: 'it waits and is blocked', meta: foreground, hasDependents: true, isBlocked: true, step: nothing },
  {
    says: 'it waits for nobody',
    meta: foreground,
    hasDependents: true,
    step: { type: 'remove finalizer', finalizer: 'foregroundDeletion' },
  },
  {
    says: 'it waits in a circle',
    meta: foreground,
    owners: ['waiting'],
    blocks: true,
    isBlocked: true,
    isInCircle: true,
    step: { type: 'unblock owners' },
  },
  { says: 'it has orphans to release', meta: orphan, hasDependents: true, step: nothing },
  { says: 'all are released', meta: orphan, step: { type: 'remove finalizer', finalizer: 'orphan' } },
  { says: 'its owner releases it', owners: ['solid', 'orphaning'], step: drop('1') },
  { says: 'its owner releases it though it goes', owners: ['orphaning'], meta: foreground, step: drop('0') },
];

test.for(cases)('$says: $step.type', (given) => {
  const {
    owners = [],
    blocks = false,
    meta = {},
    hasDependents = false,
    isBlocked = false,
    isInCircle = false,
  } = given;
  const ownerReferences = owners.map((_, i) => ({ uid: `${i}`, blockOwnerDeletion: blocks }));
  const node = nodeOf(maps, { metadata: { name: 'x', uid: 'x', ownerReferences, ...meta } });
  expect(decide({ node, owners, hasDependents, isBlocked, isInCircle })).toEqual(given.step);
});
