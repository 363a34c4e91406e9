import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { ObjectCache } from '#loop/object-cache.ts';
import { selecting, selectorIndexes } from './selector-index.ts';

const workload = (name: string, selector: JsonObject, namespace = 'shop', version = '1'): KubeObject => ({
  metadata: { name, namespace, uid: `${namespace}-${name}`, resourceVersion: version },
  spec: { selector },
});

function cacheOf(...workloads: readonly KubeObject[]): ObjectCache {
  const cache = new ObjectCache(selectorIndexes);
  for (const each of workloads) Array.from(cache.put(each));
  return cache;
}

const names = (cache: ObjectCache, labels: Readonly<Record<string, string>>): readonly string[] =>
  selecting(cache, { metadata: { name: 'p', namespace: 'shop', labels } })
    .map(nameOf)
    .toSorted();

const expression = (key: string, operator: string, ...values: readonly string[]): JsonObject => ({
  matchExpressions: [{ key, operator, ...(values.length === 0 ? {} : { values }) }],
});

const cache = cacheOf(
  workload('one-label', { matchLabels: { app: 'a' } }),
  workload('two-labels', { matchLabels: { app: 'a', tier: 'web' } }),
  workload('one-of', expression('app', 'In', 'a', 'b')),
  workload('any-app', expression('app', 'Exists')),
  workload('no-tier', expression('tier', 'DoesNotExist')),
  workload('everything', {}),
  workload('unreadable', expression('app', 'Resembles', 'a')),
  workload('elsewhere', { matchLabels: { app: 'a' } }, 'other'),
);

test.each([
  [{ app: 'a' }, ['any-app', 'no-tier', 'one-label', 'one-of']],
  [{ app: 'b' }, ['any-app', 'no-tier', 'one-of']],
  [{ app: 'a', tier: 'web' }, ['any-app', 'one-label', 'one-of', 'two-labels']],
  [{ tier: 'web' }, []],
  [{}, ['no-tier']],
])('an object with the labels %j is selected by %j', (labels, expected) => {
  expect(names(cache, labels)).toEqual(expected);
});

test('a workload is found by its new selector, and no longer by the old one', () => {
  const changing = cacheOf(workload('w', { matchLabels: { app: 'a' } }));
  expect([...changing.put(workload('w', { matchLabels: { app: 'b' } }, 'shop', '2'))]).toHaveLength(1);
  expect(names(changing, { app: 'a' })).toEqual([]);
  expect(names(changing, { app: 'b' })).toEqual(['w']);
});
