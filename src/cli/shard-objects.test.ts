import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { pods, revisions } from '#loop/owned/resources.ts';
import { makeShard, shardOf } from '#loop/shards/shard.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { registrations } from '#registrations/controller/resources.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import { controlNames } from './install/control-names.ts';
import { scopeOf } from './shard-objects.ts';

const count = 5;
const all = new Set(controlNames);
const shards = Array.from({ length: count }, (_, index) => makeShard(index, count));

/** The shards whose informers keep an object. */
const keepersOf = (resource: Resource, object: JsonObject): readonly number[] =>
  shards.filter((shard) => scopeOf(shard, all).keeps(resource, object)).map(({ index }) => index);

const named = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { namespace: 'default', name, ...more },
});
const ownedBy = (name: string): JsonObject => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'GameDeployment', name, uid: 'u', controller: true }],
});

test('a workload, its pods and its revisions are in one shard', () => {
  const own = [shardOf('default/shop', count)];
  expect(keepersOf(gameDeployments, named('shop'))).toEqual(own);
  expect(keepersOf(gameStatefulSets, named('shop'))).toEqual(own);
  expect(keepersOf(pods, named('shop-x1', ownedBy('shop')))).toEqual(own);
  expect(keepersOf(revisions, named('shop-5f', ownedBy('shop')))).toEqual(own);
});

test.for([
  ['a pod without a controller', pods, named('stray')],
  ['a HookRun', hookRuns, named('run', ownedBy('shop'))],
  ['a HookTemplate', hookTemplates, named('age')],
  ['a Cluster', clusters, named('c')],
] as const)('%s is seen by all shards', ([, resource, object]) => {
  expect(keepersOf(resource, object)).toEqual([0, 1, 2, 3, 4]);
});

test('registrations of one CRD are in one shard, whatever their names are', () => {
  const registration = (name: string): JsonObject => ({
    metadata: { name },
    spec: { crd: 'kuards.example.com' },
  });
  const own = [shardOf('kuards.example.com', count)];
  expect(['one', 'two', 'three'].map((name) => keepersOf(registrations, registration(name)))).toEqual([
    own,
    own,
    own,
  ]);
});

test('Clusters and Machines are reconciled in shard 0 only', () => {
  const names = shards.map((shard) => [...scopeOf(shard, all).names]);
  expect(names[0]).toEqual(controlNames);
  for (const others of names.slice(1))
    expect(others).toEqual([
      'hookrun',
      'hooktemplate',
      'gamedeployment',
      'gamestatefulset',
      'crdregistration',
    ]);
});
