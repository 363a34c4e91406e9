import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { openObjectsWorld } from '../support/machine-objects-world.ts';

test('a Cluster without a name is refused as by Kubernetes; generateName gives it one', async () => {
  await using world = await openObjectsWorld([], { example: 'folders', flags: ['--controllers', 'none'] });
  const nameless = JSON.parse(readFileSync(join(world.root, 'cluster.json'), 'utf8')) as {
    metadata: JsonObject;
    spec: JsonObject;
  };
  const create = (metadata: JsonObject) =>
    world.kubectl(['create', '-f', '-'], JSON.stringify({ ...nameless, metadata }));
  const refused = await create(nameless.metadata);
  expect(refused.code).toBe(1);
  expect(refused.error).toContain('name or generateName is required');
  expect((await world.kubectl(['get', 'clusters'])).error).toContain('No resources found');
  const made = await create({ ...nameless.metadata, generateName: 'cls-' });
  expect(made.error).toBe('');
  expect(made.out).toMatch(/^cluster\.platform\.tkestack\.io\/cls-[a-z0-9]{5} created\n$/);
});
