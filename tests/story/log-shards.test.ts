import { expect, test } from 'vitest';
import {
  configMaps,
  endpointMap,
  endpointsIn,
  publishEndpoint,
  type LogShard,
} from '#command/logs/published-endpoint.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { registrations } from '#registrations/controller/resources.ts';
import type { Resource } from '#kube/resource.ts';
import { found, never, openWorld } from '../support/world.ts';

test('each process publishes its shards, and forgets those of another number', async () => {
  await using world = await openWorld();
  const publish = (holder: string, resources: readonly Resource[], shard?: LogShard): Promise<void> => {
    const endpoint = { url: `https://127.0.0.1:${holder.length}`, ca: 'PEM', holder };
    return publishEndpoint(world.client, 'default', { resources, endpoint, shard }, never);
  };
  const holdersOf = async (resource: Resource): Promise<readonly string[]> => {
    const key = { namespace: 'default', name: endpointMap };
    const map = found(await world.client.get(configMaps, key, never));
    return endpointsIn(map, resource).map(({ holder }) => holder);
  };
  await publish('single', [clusters, registrations]);
  expect([await holdersOf(clusters), await holdersOf(registrations)]).toEqual([['single'], ['single']]);
  await publish('north', [clusters, registrations], { index: 0, count: 2 });
  await publish('southern', [registrations], { index: 1, count: 2 });
  expect(await holdersOf(clusters)).toEqual(['north']);
  expect(await holdersOf(registrations)).toEqual(['north', 'southern']);
  // One process that holds all shards is asked once.
  await publish('north', [registrations], { index: 1, count: 2 });
  expect(await holdersOf(registrations)).toEqual(['north']);
  await publish('single', [clusters, registrations]);
  expect([await holdersOf(clusters), await holdersOf(registrations)]).toEqual([['single'], ['single']]);
});
