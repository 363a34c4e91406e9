import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { nameOf, uidOf } from '#kube/object.ts';
import { pods } from '#loop/owned/resources.ts';
import { gameStatefulSets } from '#releases/controller/resources.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';

const young = () => ({ age: 25 });
const tooOld = () => ({ age: 99 });

const uidNow = (at: GameWorld, name: string): string =>
  uidOf(at.pods().find((pod) => nameOf(pod) === name) ?? {});

async function change(at: GameWorld, body: JsonObject): Promise<void> {
  const key = { namespace: 'default', name: 'g' };
  const outcome = await at.client.patch(gameStatefulSets, key, { type: 'merge', body }, never);
  expect(outcome.type).toBe('ok');
}

const keep = (at: GameWorld, partition: number, maxUnavailable = 1): Promise<void> =>
  change(at, { spec: { updateStrategy: { rollingUpdate: { partition, maxUnavailable } } } });

/** Three pods that the partition keeps, and a new template. */
async function begin(hook: JsonObject, around = (direct: Transport): Transport => direct) {
  const at = await closedAfterTest(openGameWorld());
  await at.control({ around });
  await make(at, templates, hookTemplate());
  const spec = {
    replicas: 3,
    serviceName: 'g',
    podManagementPolicy: 'Parallel',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 3, maxUnavailable: 1 } },
    preDeleteUpdateStrategy: { hook: { templateName: 'age' }, ...hook },
  };
  await make(at, gameStatefulSets, { ...gameDeployment(spec), kind: 'GameStatefulSet' });
  await at.pass(15);
  await change(at, image('2'));
  await at.pass(3);
  return at;
}

test('a hook that was asked about a former pod says nothing about the next pod of its name', async () => {
  const news = heldWatches(['hookruns']);
  const at = await begin({ enforce: 'Always' }, (direct) => news.around(direct));
  news.hold();
  await at.deletePod('g-0');
  await at.settle(false);
  expect(at.runs()).toHaveLength(1);
  const body = { metadata: { annotations: { 'boathook.dev/break-glass': 'alice: node on fire' } } };
  await at.client.patch(pods, { namespace: 'default', name: 'g-0' }, { type: 'merge', body }, never);
  await at.pass(5);
  news.release();
  await at.pass(10);
  // Kept by the partition, it is the next pod of the old revision and ordinal.
  expect(at.asked).toHaveLength(1);
  expect(at.runs()).toEqual([]);
  const before = uidNow(at, 'g-0');
  at.answer(tooOld);
  await keep(at, 0, 3);
  await at.pass(20);
  expect(at.asked).toHaveLength(4);
  expect(uidNow(at, 'g-0')).toBe(before);
  expect(at.observer.complaints).toEqual([]);
});

test('a hook is asked about the next pod of an ordinal while the name of its run is still taken', async () => {
  const news = heldWatches(['hookruns']);
  const at = await begin({ enforce: 'Always' }, (direct) => news.around(direct));
  news.hold();
  await at.deletePod('g-0');
  await at.settle(false);
  const body = { metadata: { annotations: { 'boathook.dev/break-glass': 'alice: node on fire' } } };
  await at.client.patch(pods, { namespace: 'default', name: 'g-0' }, { type: 'merge', body }, never);
  await at.pass(5);
  const before = uidNow(at, 'g-0');
  expect(before).not.toBe('');
  await at.deletePod('g-0');
  await at.pass(5);
  expect(at.runs()).toHaveLength(1);
  news.release();
  at.answer(young);
  await at.pass(30);
  expect(uidNow(at, 'g-0')).not.toBe(before);
  expect(at.observer.complaints).toEqual([]);
  expect(at.observer.judged.consent).toBeGreaterThan(0);
});

test('a consent to an update that the partition has held back since does not count later', async () => {
  const at = await begin({});
  at.answer(() => 'hang');
  await keep(at, 2);
  await at.pass(3);
  expect(at.runs()).toHaveLength(1);
  await keep(at, 3);
  at.answer(young);
  await at.pass(300, 10);
  expect(at.runs()).toEqual([]);
  const before = uidNow(at, 'g-2');
  at.answer(tooOld);
  await keep(at, 2);
  await at.pass(10);
  expect(at.asked).toHaveLength(2);
  expect(uidNow(at, 'g-2')).toBe(before);
  at.answer(young);
  await change(at, { spec: { preDeleteUpdateStrategy: { retry: true } } });
  await at.pass(20);
  expect(uidNow(at, 'g-2')).not.toBe(before);
});
