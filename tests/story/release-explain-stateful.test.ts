import { expect, test } from 'vitest';
import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { InCluster } from '#command/in-cluster.ts';
import type { KubeObject } from '#kube/object.ts';
import { explainWorkload } from '#releases/cli/explain-workload.ts';
import { gameStatefulSets } from '#releases/controller/resources.ts';
import { gameDeployment, image, make, never, openGameWorld, type GameWorld } from '../support/game-world.ts';
import { found } from '../support/world.ts';

const key = { namespace: 'default', name: 'g' };

const set = (updateStrategy: JsonObject): JsonObject => ({
  ...gameDeployment({ replicas: 3, serviceName: 'g', podManagementPolicy: 'Parallel', updateStrategy }),
  kind: 'GameStatefulSet',
});

async function open(updateStrategy: JsonObject): Promise<GameWorld> {
  const world = await openGameWorld();
  await world.control();
  await make(world, gameStatefulSets, set(updateStrategy));
  await until(world, (object) => textAt(object, 'status', 'phase') === 'Complete');
  return world;
}

async function until(world: GameWorld, isWanted: (object: KubeObject) => boolean): Promise<KubeObject> {
  for (let turns = 0; turns < 100; turns += 1) {
    await world.pass(1);
    const object = found(await world.client.get(gameStatefulSets, key, never));
    if (isWanted(object)) return object;
  }
  throw new Error('it never came to be');
}

const change = async (world: GameWorld, body: JsonObject): Promise<KubeObject> =>
  found(await world.client.patch(gameStatefulSets, key, { type: 'merge', body }, never));

const clusterOf = ({ client }: GameWorld): InCluster => ({
  client,
  namespace: 'default',
  signal: () => never,
  whole: never,
});

test('a GameStatefulSet is explained by its own decision', async () => {
  const canary = { steps: [{ partition: 2 }, { pause: {} }] };
  await using world = await open({ type: 'InplaceUpdate', canary });
  await change(world, image('2'));
  const object = await until(world, (each) => numberAt(each, 'status', 'currentStepIndex') === 1);
  const explanation = await explainWorkload(clusterOf(world), 'gsts/g', { flags: '', clock: world.clock });
  expect(explanation).toMatchObject({
    workload: 'gsts/g',
    kind: 'GameStatefulSet',
    reason: textAt(object, 'status', 'reason'),
    message: textAt(object, 'status', 'message'),
    warnings: [],
  });
  expect(explanation.remedies[0]?.command).toBe('boathook release promote gsts/g');
});

test('a pod that is due with OnDelete is the one with the highest number', async () => {
  await using world = await open({ type: 'OnDelete' });
  await change(world, image('2'));
  const object = await until(world, (each) => textAt(each, 'status', 'reason') === 'WaitingForDeletion');
  const explanation = await explainWorkload(clusterOf(world), 'g', {
    flags: ' -n default',
    clock: world.clock,
  });
  expect(explanation.message).toBe(textAt(object, 'status', 'message'));
  expect(explanation.remedies.map(({ command }) => command)).toContain('kubectl delete pod g-2 -n default');
});
