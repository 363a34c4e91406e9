import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { textAt } from '#base/json.ts';
import { millis, seconds } from '#base/time.ts';
import { metaOf, nameOf, resourceVersionOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { createInformer, type Informer, type InformerDeps } from '#loop/informer.ts';
import {
  configMap,
  configMaps,
  never,
  openLoopCluster,
  turn,
  type LoopCluster,
} from '../support/loop-cluster.ts';

type Followed = {
  readonly informer: Informer;
  readonly deltas: Delta[];
  readonly stop: () => Promise<void>;
};

function follow(cluster: LoopCluster, more: Partial<InformerDeps> = {}): Followed {
  const { frail: client, clock } = cluster;
  const informer = createInformer({
    client,
    clock,
    random: seededRandom(3),
    resource: configMaps,
    namespace: 'default',
    ...more,
  });
  const deltas: Delta[] = [];
  informer.subscribe((delta) => deltas.push(delta));
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  return {
    informer,
    deltas,
    stop: () => {
      stop.abort(new Error('the test is over'));
      return running;
    },
  };
}

async function listOf(cluster: LoopCluster, namespace = 'default'): Promise<readonly KubeObject[]> {
  const listed = await cluster.client.list(configMaps, { namespace }, never);
  return listed.type === 'ok' ? listed.items : [];
}

const byKey = (objects: Iterable<KubeObject>): readonly KubeObject[] =>
  [...objects].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));

const short = (delta: Delta): string => `${delta.type} ${nameOf(delta.object)}`;

/** The state that deltas lead to; complains about any that does not fit what came before. */
function replayed(deltas: readonly Delta[]): readonly KubeObject[] {
  const state = new Map<string, KubeObject>();
  for (const delta of deltas) {
    const key = keyOf(delta.object);
    const known = state.get(key);
    if (delta.type === 'added') expect(known).toBeUndefined();
    else expect(known && uidOf(known)).toBe(uidOf(delta.object));
    if (delta.type === 'updated') expect(delta.old).toBe(known);
    if (delta.type === 'deleted') state.delete(key);
    else state.set(key, delta.object);
  }
  return byKey(state.values());
}

test('existing objects are delivered in the order of keys, in pages; then every change', async () => {
  await using cluster = await openLoopCluster({ pageSize: 2 });
  for (const name of ['e', 'b', 'd', 'a', 'c'])
    await cluster.client.create(configMaps, configMap(name), never);
  const { informer, deltas, stop } = follow(cluster);
  await informer.synced;
  expect(deltas.map(short)).toEqual(['added a', 'added b', 'added c', 'added d', 'added e']);
  await cluster.client.patch(
    configMaps,
    { namespace: 'default', name: 'c' },
    { type: 'merge', body: { data: { x: '1' } } },
    never,
  );
  await cluster.client.remove(configMaps, { namespace: 'default', name: 'a' }, never);
  await cluster.client.create(configMaps, configMap('f'), never);
  await cluster.until(() => deltas.length === 8);
  expect(deltas.slice(5).map(short)).toEqual(['updated c', 'deleted a', 'added f']);
  expect(textAt(informer.get('default', 'c'), 'data', 'x')).toBe('1');
  expect(informer.get('default', 'a')).toBeUndefined();
  await stop();
});

test('a late subscriber gets the existing objects, and then the same as the others', async () => {
  await using cluster = await openLoopCluster();
  for (const name of ['b', 'a']) await cluster.client.create(configMaps, configMap(name), never);
  const { informer, deltas, stop } = follow(cluster);
  await informer.synced;
  const late: Delta[] = [];
  const leave = informer.subscribe((delta) => late.push(delta));
  expect(late.map(short)).toEqual(['added a', 'added b']);
  await cluster.client.create(configMaps, configMap('c'), never);
  await cluster.client.create(configMaps, configMap('0'), never);
  await cluster.until(() => deltas.length === 4);
  expect(late).toEqual(deltas);
  const latest: Delta[] = [];
  informer.subscribe((delta) => latest.push(delta));
  expect(latest.map(short)).toEqual(['added 0', 'added a', 'added b', 'added c']);
  leave();
  await cluster.client.create(configMaps, configMap('d'), never);
  await cluster.until(() => deltas.length === 5);
  expect(late).toHaveLength(4);
  await stop();
});

test('selectors, indexes and managed fields', async () => {
  await using cluster = await openLoopCluster();
  const make = (name: string, colour: string): Promise<unknown> =>
    cluster.client.create(
      configMaps,
      withMeta(configMap(name, { colour }), { labels: { watched: name === 'x' ? 'no' : 'yes' } }),
      never,
    );
  await make('a', 'red');
  await make('x', 'red');
  const colours = (object: KubeObject): readonly string[] => [textAt(object, 'data', 'colour') ?? ''];
  const { informer, deltas, stop } = follow(cluster, {
    labelSelector: 'watched=yes',
    indexes: { colour: colours },
    dropManagedFields: true,
  });
  await informer.synced;
  await make('b', 'green');
  await cluster.until(() => deltas.length === 2);
  expect(informer.byIndex('colour', 'red').map(nameOf)).toEqual(['a']);
  expect(informer.byIndex('colour', 'green').map(nameOf)).toEqual(['b']);
  expect(informer.list().some((object) => 'managedFields' in metaOf(object))).toBe(false);
  expect(() => informer.byIndex('size', '1')).toThrow('no index size');
  // An object that no longer matches is gone for those who see only what matches.
  await cluster.client.patch(
    configMaps,
    { namespace: 'default', name: 'a' },
    { type: 'merge', body: { metadata: { labels: { watched: 'no' } } } },
    never,
  );
  await cluster.until(() => deltas.length === 3);
  expect(deltas.map(short)).toEqual(['added a', 'added b', 'deleted a']);
  expect(informer.byIndex('colour', 'red')).toEqual([]);
  await stop();
});

test('after a break longer than the history only the difference is delivered', async () => {
  const history = { age: 0, atLeast: 2, atMost: 2, bytes: 1_000_000 };
  await using cluster = await openLoopCluster({ history });
  for (const name of ['a', 'b', 'c']) await cluster.client.create(configMaps, configMap(name), never);
  const { informer, deltas, stop } = follow(cluster);
  await informer.synced;
  const known = informer.get('default', 'b');
  await turn();
  cluster.drop();
  await turn();
  const at = (name: string): { namespace: string; name: string } => ({ namespace: 'default', name });
  await cluster.client.remove(configMaps, at('a'), never);
  await cluster.client.remove(configMaps, at('c'), never);
  await cluster.client.create(configMaps, configMap('c'), never);
  await cluster.client.create(configMaps, configMap('aa'), never);
  await cluster.client.create(configMaps, configMap('d'), never);
  deltas.length = 0;
  await cluster.until(() => deltas.length === 5);
  expect(deltas.map(short)).toEqual(['deleted a', 'added aa', 'deleted c', 'added c', 'added d']);
  expect(informer.get('default', 'b')).toBe(known);
  await stop();
});

const names = ['a', 'b', 'c', 'd'];
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('write' as const), name: fc.constantFrom(...names) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('delete' as const), name: fc.constantFrom(...names) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('wait' as const), seconds: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('drop' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('fail' as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
);

test('whatever happens, the cache ends as the server, and the deltas replayed as the cache', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40, size: 'max' }), fc.nat(5), async (actions, atMost) => {
      const history = { age: 0, atLeast: 0, atMost, bytes: 1_000_000 };
      await using cluster = await openLoopCluster({ history, pageSize: 2 });
      const { informer, deltas, stop } = follow(cluster);
      let count = 0;
      for (const each of actions) {
        if (each.type === 'write') await write(cluster, each.name, (count += 1));
        if (each.type === 'delete')
          await cluster.client.remove(configMaps, { namespace: 'default', name: each.name }, never);
        if (each.type === 'drop') cluster.drop();
        if (each.type === 'fail') cluster.fail(each.count);
        if (each.type === 'wait') cluster.clock.advance(seconds(each.seconds));
        if (each.type === 'wait') await turn();
      }
      const truth = byKey(await listOf(cluster));
      const versions = (objects: readonly KubeObject[]): string =>
        objects.map((object) => `${keyOf(object)} ${resourceVersionOf(object)}`).join();
      let isSynced = false;
      void informer.synced.then(() => (isSynced = true));
      await cluster.until(() => isSynced && versions(byKey(informer.list())) === versions(truth));
      expect(byKey(informer.list())).toEqual(truth);
      expect(replayed(deltas)).toEqual(truth);
      await stop();
    }),
    { numRuns: 40 },
  );
});

async function write(cluster: LoopCluster, name: string, count: number): Promise<void> {
  const key = { namespace: 'default', name };
  const patch = { type: 'merge', body: { data: { count: String(count) } } } as const;
  const outcome = await cluster.client.patch(configMaps, key, patch, never);
  if (outcome.type === 'not-found') await cluster.client.create(configMaps, configMap(name), never);
}

test('the same seed gives the same events', async () => {
  const tell = async (): Promise<readonly string[]> => {
    await using cluster = await openLoopCluster({
      history: { age: 0, atLeast: 1, atMost: 3, bytes: 10_000 },
    });
    const { informer, deltas, stop } = follow(cluster);
    await informer.synced;
    for (let i = 0; i < 12; i += 1) {
      await write(cluster, names[i % 3] ?? '', i);
      if (i % 4 === 3) cluster.drop();
      cluster.clock.advance(millis(300));
      await turn();
    }
    await cluster.until(() => informer.list().length === 3);
    await stop();
    return deltas.map((delta) => `${short(delta)} ${resourceVersionOf(delta.object)}`);
  };
  expect(await tell()).toEqual(await tell());
});
