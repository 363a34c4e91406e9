import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { systemTasks } from '#edge/tasks.ts';
import { metaOf } from '#kube/object.ts';
import { runController } from '#loop/controller.ts';
import { specSource } from '#loop/owned/owned.ts';
import { shareInformers } from '#loop/shared-informers.ts';
import { settled } from '#loop/work-queue.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { gameDeployment } from '../support/game-world.ts';
import { never, openWorld } from '../support/world.ts';

const names = Array.from({ length: 30 }, (_, index) => `g-${String(index).padStart(2, '0')}`);

test('after a restart, what was changed meanwhile goes before what is only looked at again', async () => {
  await using world = await openWorld({ ownKinds: true });
  const { client, clock } = world;
  for (const name of names) {
    const made = await world.make(gameDeployments, {
      ...gameDeployment({ replicas: 0 }),
      metadata: { name, namespace: 'default' },
    });
    const status = { observedGeneration: Number(metaOf(made)['generation']) };
    await client.updateStatus(gameDeployments, { ...made, status }, never);
  }
  const edit = { type: 'merge', body: { spec: { replicas: 1 } } } as const;
  for (const name of ['g-27', 'g-19'])
    await client.patch(gameDeployments, { namespace: 'default', name }, edit, never);

  const random = seededRandom(1);
  const stop = new AbortController();
  const informers = shareInformers({ client, clock, random });
  const order: string[] = [];
  const controller = runController({
    name: 'order',
    clock,
    random,
    tasks: systemTasks,
    sources: [specSource(informers.informer({ resource: gameDeployments }))],
    reconcile(key) {
      order.push(key.replace('default/', ''));
      return Promise.resolve(settled);
    },
  });
  const running = informers.run(stop.signal);
  await controller.idle();
  await controller.close();
  stop.abort();
  await running;
  expect(order.slice(0, 2)).toEqual(['g-19', 'g-27']);
  expect(order.toSorted()).toEqual(names);
});
