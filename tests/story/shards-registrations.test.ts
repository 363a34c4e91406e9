import { expect, test } from 'vitest';
import { scopeOf, type ShardScope } from '#cli/shard-objects.ts';
import { makeShard, shardOf } from '#loop/shards/shard.ts';
import { nameOf } from '#kube/object.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  kuards,
  openRegistrationWorld,
  registrations,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const own = shardOf(nameOf(definition()), 2);
const scopeIn = (index: number): ShardScope =>
  scopeOf(makeShard(index, 2), new Set(['crdregistration', 'hookrun']));
const isReady = async (world: RegistrationWorld): Promise<boolean> =>
  conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK';

test('a registration and its instances are the work of one shard, and go on in the next process that holds it', async () => {
  await using world = await openRegistrationWorld();
  await world.control({ scope: scopeIn(1 - own) });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  await world.make(kuards, kuard({ variable1: 'one' }));
  await world.pass(30, 5);
  expect(world.writes).toEqual([]);
  expect(world.hook.asked).toEqual([]);
  await world.control({ scope: scopeIn(own) });
  await world.until(() => isReady(world));
  const before = await world.get(deployments, 'kuard-my-kuard');
  await world.control({ scope: scopeIn(own) });
  await world.pass(30, 5);
  expect(await world.get(deployments, 'kuard-my-kuard')).toEqual(before);
});
