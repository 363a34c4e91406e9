import { expect, test } from 'vitest';
import { at, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { nameOf } from '#kube/object.ts';
import { gameDeployment, isComplete, make, openGameWorld, type GameWorld } from '../support/game-world.ts';

const containers = (tag: string): JsonObject => ({
  containers: ['proxy', 'server', 'logger'].map((name) => ({ name, image: `${name}:${tag}` })),
  terminationGracePeriodSeconds: 1,
});

const spec = (policy: string): JsonObject => ({
  replicas: 2,
  template: {
    metadata: { labels: { app: 'g' }, annotations: { 'sim.boathook.dev/ready-delay': '3s' } },
    spec: containers('1'),
  },
  updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 2, inPlaceUpdateStrategy: { policy } },
});

/** Which containers of which pods have the new image in their spec, in the order in which they came to it. */
async function watchRelease(world: GameWorld): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let step = 0; step < 600; step += 1) {
    await world.settle();
    for (const pod of world.pods()) note(pod, seen);
    if (isComplete(await world.workload())) return seen;
    await world.pass(0.1, 0.1);
  }
  throw new Error(JSON.stringify((await world.workload())['status']));
}

function note(pod: JsonObject, seen: string[]): void {
  const statuses = new Map(
    listAt(pod, 'status', 'containerStatuses').map((each) => [textAt(each, 'name'), each] as const),
  );
  const images = listAt(pod, 'spec', 'containers');
  for (const [place, container] of images.entries()) {
    const name = `${nameOf(pod)}/${textAt(container, 'name')}`;
    if (!(textAt(container, 'image') ?? '').endsWith(':2') || seen.some((each) => each.startsWith(name)))
      continue;
    const before = images.slice(0, place).map((each) => statuses.get(textAt(each, 'name')));
    seen.push(`${name} after ${before.map(stateOf).join(' and ')}`);
  }
}

const stateOf = (status: Json | undefined): string => {
  if (!(textAt(status, 'image') ?? '').endsWith(':2')) return 'old';
  return at(status, 'ready') === true ? 'ready' : 'running';
};

test.for([
  { policy: 'DisOrdered', states: ['', 'old', 'old and old'] },
  { policy: 'OrderedUpdated', states: ['', 'running', 'running and running'] },
  { policy: 'OrderedReady', states: ['', 'ready', 'ready and ready'] },
])('$policy: the containers of a pod change in their order', async ({ policy, states }) => {
  await using world = await openGameWorld({ profile: 'fast' });
  await world.control();
  await make(world, gameDeployments, gameDeployment(spec(policy)));
  await world.until(isComplete);
  await world.patch({ spec: { template: { spec: containers('2') } } });
  const seen = await watchRelease(world);
  for (const pod of world.pods()) {
    const own = seen.filter((each) => each.startsWith(`${nameOf(pod)}/`));
    const wanted = ['proxy', 'server', 'logger'].map(
      (name, at) => `${nameOf(pod)}/${name} after ${states[at]}`,
    );
    expect(own).toEqual(wanted);
  }
});
