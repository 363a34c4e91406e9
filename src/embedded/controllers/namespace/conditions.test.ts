import { expect, test } from 'vitest';
import { textAt, type Json, type JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import { conditionsAfter, type DeletionProgress } from './conditions.ts';
import { remainingOf } from './remaining.ts';

const resource = (group: string, plural: string): DiscoveredResource => ({
  group,
  version: 'v1',
  plural,
  kind: 'Any',
  namespaced: true,
  verbs: [],
});
const held = (...finalizers: string[]): JsonObject => ({ metadata: { name: 'x', finalizers } });
const calm: DeletionProgress = { failures: [], remaining: remainingOf([]) };
const first = instant(0);
const second = instant(1000);

const busy: DeletionProgress = {
  failures: ['pods is forbidden', 'no configmaps today'],
  remaining: remainingOf([
    { resource: resource('', 'pods'), objects: [held('a/b'), held()] },
    { resource: resource('apps', 'deployments'), objects: [held('a/b', 'orphan')] },
  ]),
};

const said = (conditions: readonly Json[] | undefined): readonly string[] =>
  (conditions ?? []).map(
    (each) => `${textAt(each, 'type')} ${textAt(each, 'reason')} ${textAt(each, 'message')}`,
  );

test('each condition lists the problems, sorted', () => {
  expect(said(conditionsAfter([], busy, first)).slice(2)).toEqual([
    'NamespaceDeletionContentFailure ContentDeletionFailed Failed to delete all resource types, 2 remaining: no configmaps today, pods is forbidden',
    'NamespaceContentRemaining SomeResourcesRemain Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2 resource instances',
    'NamespaceFinalizersRemaining SomeFinalizersRemain Some content in the namespace has finalizers remaining: a/b in 2 resource instances, orphan in 1 resource instances',
  ]);
});

test('each condition is good without problems', () => {
  expect(said(conditionsAfter([], calm, first)).slice(2)).toEqual([
    'NamespaceDeletionContentFailure ContentDeleted All content successfully deleted, may be waiting on finalization',
    'NamespaceContentRemaining ContentRemoved All content successfully removed',
    'NamespaceFinalizersRemaining ContentHasNoFinalizers All content-preserving finalizers finished',
  ]);
});

test('nothing is written when nothing changed', () => {
  const before = conditionsAfter([], busy, first) ?? [];
  expect(before).toHaveLength(5);
  expect(conditionsAfter(before, busy, second)).toBeUndefined();
});

test('the time is that of the last change of status; conditions of others stay where they are', () => {
  const other = { type: 'Mine', status: 'True' };
  const before = [other, ...(conditionsAfter([], { ...busy, failures: [] }, first) ?? [])];
  const after = conditionsAfter(before, calm, second) ?? [];
  expect(after[0]).toBe(other);
  expect(after.slice(1).map((each) => textAt(each, 'lastTransitionTime'))).toEqual([
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:01Z',
    '1970-01-01T00:00:01Z',
  ]);
});
