import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { millis, minutes, seconds } from '#base/time.ts';
import { systemTasks } from '#edge/tasks.ts';
import { labelsOf, nameOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import { runController } from '#loop/controller.ts';
import { keyOf, objectKey, splitKey, type Delta } from '#loop/delta.ts';
import { createExpectations } from '#loop/expectations.ts';
import { shareInformers } from '#loop/shared-informers.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { configMap, configMaps, never, openLoopCluster, turn } from '../support/loop-cluster.ts';

const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true };

/** Copies every config map into a secret of its name. */
test('a controller acts only on what it has seen whole, and catches up after any break', async () => {
  await using cluster = await openLoopCluster({ pageSize: 2 });
  const { clock, frail: client } = cluster;
  const random = seededRandom(5);
  for (const name of ['a', 'b', 'c']) await cluster.client.create(configMaps, configMap(name), never);
  const informers = shareInformers({ client, clock, random, dropManagedFields: true });
  const sources = informers.informer({ resource: configMaps, namespace: 'default' });
  const copies = informers.informer({ resource: secrets, namespace: 'default' });
  expect(informers.informer({ resource: secrets, namespace: 'default' })).toBe(copies);
  const ran: string[] = [];
  const reconcile = async (key: string, signal: AbortSignal): Promise<Next> => {
    ran.push(key);
    const { namespace, name } = splitKey(key);
    if (sources.get(namespace, name) === undefined || copies.get(namespace, name) !== undefined)
      return settled;
    const copy = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name } };
    const outcome = await client.create(secrets, copy, signal);
    if (outcome.type !== 'ok' && outcome.type !== 'exists') throw new Error(outcome.message);
    return settled;
  };
  const keysOf = ({ object }: Delta): readonly string[] => [keyOf(object)];
  const controller = runController({
    name: 'copier',
    clock,
    random,
    tasks: systemTasks,
    queue: { parallel: 2 },
    sources: [
      { informer: sources, keysOf },
      { informer: copies, keysOf, priorityOf: () => -1 },
    ],
    reconcile,
  });
  const stop = new AbortController();
  const first = sources.run(stop.signal);
  await sources.synced;
  for (let i = 0; i < 5; i += 1) await turn();
  expect(ran).toEqual([]);
  cluster.fail(2);
  const second = copies.run(stop.signal);
  const namesOf = (objects: readonly KubeObject[]): string => objects.map(nameOf).sort().join();
  await cluster.until(() => namesOf(copies.list()) === 'a,b,c');
  await controller.idle();
  cluster.fail(3);
  cluster.drop();
  await cluster.client.create(configMaps, configMap('d'), never);
  await cluster.client.remove(secrets, { namespace: 'default', name: 'a' }, never);
  await cluster.until(() => namesOf(copies.list()) === 'a,b,c,d');
  await controller.close();
  await cluster.client.remove(secrets, { namespace: 'default', name: 'b' }, never);
  await cluster.until(() => namesOf(copies.list()) === 'a,c,d');
  const before = ran.length;
  controller.add('default/a');
  await turn();
  expect(ran).toHaveLength(before);
  stop.abort(new Error('over'));
  await Promise.all([first, second]);
});

/** Keeps three config maps; its informer is cut off while it works, so that its cache is old. */
test('with expectations a controller does not do twice what its cache does not show yet', async () => {
  await using cluster = await openLoopCluster();
  const { clock, client } = cluster;
  const random = seededRandom(5);
  const informers = shareInformers({ client: cluster.frail, clock, random });
  const informer = informers.informer({ resource: configMaps, labelSelector: 'set=one' });
  const expectations = createExpectations(clock);
  let created = 0;
  const reconcile = async (key: string, signal: AbortSignal): Promise<Next> => {
    const pending = expectations.pending(key);
    if (pending > 0) return wake(pending);
    const missing = 3 - informer.list('default').length;
    expectations.expectCreations(
      key,
      Array.from({ length: missing }, () => ''),
    );
    for (let i = 0; i < missing; i += 1) {
      const object = withMeta(configMap(`made-${created++}`), { labels: { set: 'one' } });
      const outcome = await client.create(configMaps, object, signal);
      if (outcome.type !== 'ok') expectations.creationSeen(key, '');
    }
    return settled;
  };
  const controller = runController({
    name: 'three',
    clock,
    random,
    sources: [
      {
        informer,
        keysOf({ type, object }) {
          const key = labelsOf(object)['set'] ?? '';
          if (type === 'added') expectations.creationSeen(key, '');
          if (type === 'deleted') expectations.deletionSeen(key, uidOf(object));
          return [key];
        },
      },
    ],
    reconcile,
  });
  const stop = new AbortController();
  const running = informers.run(stop.signal);
  await controller.started;
  cluster.fail(4);
  cluster.drop();
  for (let i = 0; i < 5; i += 1) {
    controller.add('one');
    await turn();
    await controller.idle();
  }
  expect([created, informer.list().length]).toEqual([3, 0]);
  await cluster.until(() => informer.list().length === 3);
  await controller.idle();
  expect(created).toBe(3);
  await client.remove(configMaps, { namespace: 'default', name: 'made-1' }, never);
  await cluster.until(() => informer.get('default', 'made-3') !== undefined);
  expect(informer.list().length).toBe(3);
  await controller.close();
  stop.abort(new Error('over'));
  await running;
});

test('informers that are wished for late run as well, and all end together', async () => {
  await using cluster = await openLoopCluster();
  await cluster.client.create(configMaps, configMap('a'), never);
  const informers = shareInformers({ client: cluster.frail, clock: cluster.clock, random: seededRandom(1) });
  const early = informers.informer({ resource: configMaps, namespace: 'default' });
  const stop = new AbortController();
  let isOver = false;
  const running = informers.run(stop.signal).then(() => (isOver = true));
  await informers.synced();
  const late = informers.informer({
    resource: configMaps,
    namespace: 'default',
    fieldSelector: 'metadata.name=a',
    indexes: { name: (object) => [nameOf(object)] },
  });
  expect(late).not.toBe(early);
  await informers.synced();
  expect(late.byIndex('name', 'a')).toEqual(early.list());
  informers.informer({
    resource: configMaps,
    namespace: 'default',
    indexes: { size: (object) => [`${nameOf(object).length}`] },
  });
  expect(early.byIndex('size', '1')).toEqual(early.list());
  expect(isOver).toBe(false);
  stop.abort(new Error('over'));
  await running;
});

test('what is to be looked at later is looked at then', async () => {
  await using cluster = await openLoopCluster();
  const { clock } = cluster;
  const seen: number[] = [];
  const began = clock.now();
  const controller = runController({
    name: 'later',
    clock,
    random: { ...seededRandom(1), next: () => 0 },
    sources: [],
    reconcile: async () => {
      seen.push(clock.now() - began);
      if (seen.length === 2) throw new Error('once');
      return seen.length < 4 ? wake(seconds(7)) : settled;
    },
  });
  await controller.started;
  controller.add(objectKey('n', 'a'));
  for (let i = 0; i < 20; i += 1) {
    await controller.idle();
    clock.advance(millis(1000));
  }
  for (let i = 0; i < 4; i += 1) {
    await controller.idle();
    clock.advance(minutes(1));
  }
  // The retry rang at 7005; time stands at 8000 when it runs.
  expect(seen).toEqual([0, 7000, 8000, 15_000]);
  await controller.close();
});
