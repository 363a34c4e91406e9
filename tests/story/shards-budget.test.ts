import { expect, test } from 'vitest';
import { budgets } from '#loop/owned/resources.ts';
import { shardOf } from '#loop/shards/shard.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { gameDeployment, image, isComplete, make, openGameWorld } from '../support/game-world.ts';

/** One in each of two shards. */
const names = ['g', 'i'];

test('workloads of two shards whose pods one disruption budget protects are updated in place', async () => {
  expect(names.map((name) => shardOf(`default/${name}`, 2))).toEqual([0, 1]);
  await using world = await openGameWorld();
  for (const identity of ['a', 'b']) world.replica({ identity, shards: 2 });
  const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 2 };
  for (const name of names)
    await make(world, gameDeployments, gameDeployment({ replicas: 3, updateStrategy }, name));
  const areComplete = async (): Promise<boolean> =>
    (await Promise.all(names.map((name) => world.workload(name)))).every(isComplete);
  await world.until(areComplete);
  await make(world, budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'both', namespace: 'default' },
    spec: {
      maxUnavailable: 1,
      selector: { matchExpressions: [{ key: 'app', operator: 'In', values: names }] },
    },
  });
  await world.pass(2);
  for (const name of names) await world.patch(image('2'), name);
  await world.until(areComplete);
});
