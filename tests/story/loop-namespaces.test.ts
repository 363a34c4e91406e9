import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { shareInformers } from '#loop/shared-informers.ts';
import { configMaps, never, openLoopCluster } from '../support/loop-cluster.ts';

const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const inNamespace = (namespace: string, name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
});

test('informers of some namespaces are one informer, and see nothing of others', async () => {
  await using cluster = await openLoopCluster();
  const { client, clock } = cluster;
  for (const name of ['a', 'b', 'c'])
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, never);
  const put = (namespace: string, name: string): Promise<unknown> =>
    client.create(configMaps, inNamespace(namespace, name), never);
  for (const namespace of ['a', 'b', 'c']) await put(namespace, 'early');
  const asked: (string | undefined)[] = [];
  const listening: typeof client = {
    ...client,
    pages: (resource, selection, signal) => {
      asked.push(selection.namespace);
      return client.pages(resource, selection, signal);
    },
  };
  const informers = shareInformers({ client: listening, clock, random: seededRandom(3) }, ['b', 'a']);
  expect(informers.namespaces).toEqual(['b', 'a']);
  const maps = informers.informer({
    resource: configMaps,
    indexes: { name: (object) => [nameOf(object)] },
  });
  expect(informers.informer({ resource: configMaps })).toBe(maps);
  const seen: string[] = [];
  const leave = maps.subscribe(({ type, object }) =>
    seen.push(`${type} ${namespaceOf(object)}/${nameOf(object)}`),
  );
  const stop = new AbortController();
  const running = informers.run(stop.signal);
  await maps.synced;
  const early = (object: KubeObject): boolean => nameOf(object) === 'early';
  expect(maps.list().filter(early).map(namespaceOf)).toEqual(['a', 'b']);
  expect(maps.byIndex('name', 'early').map(namespaceOf)).toEqual(['a', 'b']);
  expect(maps.get('b', 'early')).toBeDefined();
  expect([maps.get('c', 'early'), maps.list('c')]).toEqual([undefined, []]);
  expect(maps.list('a').filter(early)).toHaveLength(1);
  for (const namespace of ['c', 'a']) await put(namespace, 'late');
  await cluster.until(() => seen.includes('added a/late'));
  leave();
  await put('b', 'later');
  await cluster.until(() => maps.get('b', 'later') !== undefined);
  expect(seen.filter((each) => each.includes('late') || each.includes(' c/'))).toEqual(['added a/late']);
  expect(new Set(asked)).toEqual(new Set(['a', 'b']));
  stop.abort();
  await running;
});
