import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  isTrue,
  machineOf,
  mergePatch,
  notingHooks,
  openObjectsWorld,
  untilReady,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const [first, second, third] = ['192.0.2.21', '192.0.2.22', '192.0.2.23'] as const;
const all = [first, second, third].map((address) => ({ address, password: 'secret-1' }));

const taken = async (world: ObjectsWorld, kind: string, name: string): Promise<string> => {
  const object = await world.until(
    kind,
    name,
    (each) => textAt(each, 'status', 'reason') === 'AddressTaken' || isTrue(each, 'Ready'),
  );
  expect(isTrue(object, 'Ready'), `${name} waits`).toBe(false);
  return textAt(object, 'status', 'message') ?? '';
};

test('two Clusters with one host: the second waits, names the first, and is made when that one is gone', async () => {
  await using world = await openObjectsWorld(all);
  const given = notingHooks(world, 'PreInstall');
  await world.apply(clusterOf('cls-z', [first], given));
  await untilReady(world, 'cluster', 'cls-z');
  await world.apply(clusterOf('cls-a', [second, first], given));
  expect(await taken(world, 'cluster', 'cls-a')).toBe(
    '192.0.2.21 port 22 is a master of the Cluster cls-z already. A host can be only one machine of one Cluster: delete this object, or delete the other one.',
  );
  await world.apply(clusterOf('cls-b', [first], given));
  expect(await taken(world, 'cluster', 'cls-b')).toMatch(/is a master of the Cluster cls-[az] already/);
  expect(world.noted()).toEqual([`${first} PreInstall`]);
  expect((await world.kubectl(['delete', 'cluster', 'cls-b', '--timeout=300s'])).error, 'never began').toBe(
    '',
  );
  expect((await world.kubectl(['delete', 'cluster', 'cls-z', '--timeout=300s'])).error).toBe('');
  await untilReady(world, 'cluster', 'cls-a');
  expect(world.noted().toSorted()).toEqual([
    `${first} PreInstall`,
    `${first} PreInstall`,
    `${second} PreInstall`,
  ]);
});

test('Clusters that come at the same time on one host: one is made, and the next when it is gone', async () => {
  await using world = await openObjectsWorld(all);
  const given = notingHooks(world, 'PreInstall');
  const names = ['cls-1', 'cls-2', 'cls-3', 'cls-4'];
  await Promise.all(names.map((name) => world.apply(clusterOf(name, [first], given))));
  const states = await Promise.all(
    names.map((name) =>
      world.until(
        'cluster',
        name,
        (object) => isTrue(object, 'Ready') || textAt(object, 'status', 'reason') === 'AddressTaken',
      ),
    ),
  );
  const made = names.filter((_, at) => isTrue(states[at], 'Ready'));
  expect(made).toHaveLength(1);
  expect(world.noted()).toEqual([`${first} PreInstall`]);
  expect((await world.kubectl(['delete', 'cluster', made[0] ?? '', '--timeout=300s'])).error).toBe('');
  await world.untilNoted(/PreInstall/, 2);
  const next = names.filter((name) => name !== made[0]);
  await Promise.race(next.map((name) => untilReady(world, 'cluster', name)));
  expect(world.noted()).toHaveLength(2);
});

test('a Machine at a master of another Cluster waits, and so does a Cluster at a worker of another', async () => {
  await using world = await openObjectsWorld(all);
  const given = notingHooks(world, 'PreInstall');
  await world.apply(clusterOf('cls-1', [first], given), clusterOf('cls-2', [second], given));
  await untilReady(world, 'cluster', 'cls-1');
  await untilReady(world, 'cluster', 'cls-2');
  await world.apply(machineOf('mc-1', 'cls-1', second), machineOf('mc-3', 'cls-1', third));
  expect(await taken(world, 'machine', 'mc-1')).toContain(
    '192.0.2.22 port 22 is a master of the Cluster cls-2 already.',
  );
  await untilReady(world, 'machine', 'mc-3');
  await world.apply(clusterOf('cls-3', [third], given), machineOf('mc-4', 'cls-2', third));
  const held = 'is the Machine mc-3 of the Cluster cls-1 already.';
  expect(await taken(world, 'cluster', 'cls-3')).toContain(`192.0.2.23 port 22 ${held}`);
  expect(await taken(world, 'machine', 'mc-4')).toMatch(
    /is (the Machine mc-3|a master of the Cluster cls-3)/,
  );
  const login = { username: 'root', password: btoa('secret-1') };
  const machines = [second, third].map((ip) => ({ ip, ...login }));
  await mergePatch(world, 'cluster/cls-2', { spec: { machines } });
  expect(await taken(world, 'cluster', 'cls-2')).toMatch(
    /is (the Machine mc-3|a master of the Cluster cls-3)/,
  );
  const before = [`${first} PreInstall`, `${second} PreInstall`, 'mc-3 PreInstall'];
  expect(world.noted().toSorted()).toEqual(before.toSorted());

  await mergePatch(world, 'cluster/cls-2', { spec: { machines: machines.slice(0, 1) } });
  await untilReady(world, 'cluster', 'cls-2');
  expect((await world.kubectl(['delete', 'machine', 'mc-3', '--timeout=300s'])).error).toBe('');
  await untilReady(world, 'cluster', 'cls-3');
  expect(await taken(world, 'machine', 'mc-4')).toContain('a master of the Cluster cls-3 already.');
  expect((await world.kubectl(['delete', 'cluster', 'cls-3', '--timeout=300s'])).error).toBe('');
  await untilReady(world, 'machine', 'mc-4');
  expect(world.noted().slice(3)).toEqual([`${third} PreInstall`, 'mc-4 PreInstall']);
});

test('another port of the same address is another host', async () => {
  await using world = await openObjectsWorld(all.slice(0, 1));
  const netns = (await world.shell('ip netns identify $$')).out.trim();
  const accounts = [{ name: 'root', password: 'secret-1' }];
  await world.own.add({ addresses: [first], port: 2222, netns, folders: ['/tmp'], accounts });
  const given = notingHooks(world, 'PreInstall');
  const behind = clusterOf('cls-2222', [first], given);
  const entry = listAt(behind, 'spec', 'machines')[0] as JsonObject;
  const spec = { ...objectAt(behind, 'spec'), machines: [{ ...entry, port: 2222 }] };
  await world.apply(clusterOf('cls-22', [first], given), { ...behind, spec });
  await untilReady(world, 'cluster', 'cls-22');
  await untilReady(world, 'cluster', 'cls-2222');
  expect(world.noted()).toHaveLength(2);
});
