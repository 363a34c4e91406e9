import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type JsonObject } from '#base/json.ts';
import { clusterOf, isTrue, openObjectsWorld, type ObjectsWorld } from '../support/machine-objects-world.ts';

const addresses = Array.from({ length: 21 }, (_, at) => `192.0.2.${at + 1}`);
const hosts = addresses.map((address) => ({ address, password: 'secret-1' }));

/** Each Cluster has a machine of its own. */
const features = (name: string, script: string): JsonObject => ({
  files: [{ src: script, dst: `/tmp/${name}/${script}` }],
  hooks: { PreInstall: `/tmp/${name}/${script}` },
});

const ready = (world: ObjectsWorld, name: string): Promise<JsonObject> =>
  world.until('cluster', name, (object) => isTrue(object, 'Ready'));

test('long scripts do not delay others, and run once however often they are left', async () => {
  await using world = await openObjectsWorld(hosts);
  const go = join(world.own.folder, 'go');
  world.script(
    'slow',
    `#!/bin/bash\necho "$BOATHOOK_CLUSTER slow" >> ${world.notes}\nwhile [ ! -e ${go} ]; do sleep 0.5; done\n`,
  );
  world.script('quick', `#!/bin/bash\necho "$BOATHOOK_CLUSTER quick" >> ${world.notes}\n`);
  const names = Array.from({ length: 20 }, (_, at) => `cls-${at + 1}`);
  const on = (at: number): readonly string[] => [addresses[at] ?? ''];
  await world.apply(...names.map((name, at) => clusterOf(name, on(at), features(name, 'slow'))));
  // As many as there are seats.
  await world.untilNoted(/ slow/, 16);
  await world.apply(clusterOf('cls-quick', on(20), features('cls-quick', 'quick')));
  await ready(world, 'cls-quick');
  await world.untilNoted(/ slow/, 20);
  world.script('../go', '');
  for (const name of names) await ready(world, name);
  expect(world.noted().toSorted()).toEqual(
    [...names.map((name) => `${name} slow`), 'cls-quick quick'].toSorted(),
  );
});
