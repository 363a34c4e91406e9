import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import { networkPrefix } from '../support/machine-network.ts';
import {
  clusterOf,
  conditionOf,
  isTrue,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
  notingHooks,
  untilReady,
  mergePatch,
} from '../support/machine-objects-world.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
const all = [first, second, third].map((address) => ({ address, password: 'secret-1' }));

const taken = (world: ObjectsWorld, kind: string, name: string): Promise<JsonObject> =>
  world.until(kind, name, (object) => textAt(object, 'status', 'reason') === 'AddressTaken');

test('a host is one machine of a Cluster: the second waits, names the first, and continues when that one is gone', async () => {
  await using world = await openObjectsWorld(all);
  const given = notingHooks(world, 'PreInstall', 'PreUpgrade');
  await world.apply(
    clusterOf('cls-1', [first], given),
    machineOf('mc-b', 'cls-1', second),
    machineOf('mc-a-master', 'cls-1', first),
  );
  await untilReady(world, 'machine', 'mc-b');
  // Older by its name, but late: the host belongs to the object that has begun.
  await world.apply(machineOf('mc-a', 'cls-1', second));
  const waiting = await taken(world, 'machine', 'mc-a');
  expect(waiting).toMatchObject({ status: { phase: 'Initializing' } });
  expect(textAt(conditionOf(waiting, 'Ready'), 'message')).toBe(
    '192.0.2.2 port 22 is the Machine mc-b already. A host can be only one machine of one Cluster: delete this object, or delete the other one.',
  );
  expect(textAt(await taken(world, 'machine', 'mc-a-master'), 'status', 'message')).toContain(
    '192.0.2.1 port 22 is a master of the Cluster cls-1 already.',
  );
  await mergePatch(world, 'cluster/cls-1', { spec: { version: '1.31.0' } });
  await untilReady(world, 'cluster', 'cls-1');
  await world.until('machine', 'mc-b', (object) => textAt(object, 'status', 'version') === '1.31.0');
  const hooks = [`${first} PreInstall`, 'mc-b PreInstall', `${first} PreUpgrade`, 'mc-b PreUpgrade'];
  expect(world.noted()).toEqual(hooks);
  expect((await world.kubectl(['delete', 'machine', 'mc-b', '--timeout=300s'])).error).toBe('');
  await untilReady(world, 'machine', 'mc-a');
  expect(world.noted()).toEqual([...hooks, 'mc-a PreInstall']);
  // One that never began is gone at once.
  expect((await world.kubectl(['delete', 'machine', 'mc-a-master', '--timeout=300s'])).error).toBe('');
});

test('two that come at the same time: one joins; a master is not put on the host of a worker', async () => {
  await using world = await openObjectsWorld(all);
  const given = notingHooks(world, 'PreInstall');
  await world.apply(clusterOf('cls-2', [first], given));
  await untilReady(world, 'cluster', 'cls-2');
  const names = ['mc-1', 'mc-2', 'mc-3', 'mc-4'];
  await Promise.all(names.map((name) => world.apply(machineOf(name, 'cls-2', second))));
  const states = await Promise.all(
    names.map((name) =>
      world.until(
        'machine',
        name,
        (object) => isTrue(object, 'Ready') || textAt(object, 'status', 'reason') === 'AddressTaken',
      ),
    ),
  );
  const joined = names.filter((_, at) => isTrue(states[at], 'Ready'));
  expect(joined).toHaveLength(1);
  const [worker = ''] = joined;
  expect(world.noted()).toEqual([`${first} PreInstall`, `${worker} PreInstall`]);
  const login = { username: 'root', password: btoa('secret-1') };
  const machines = [first, second].map((ip) => ({ ip, ...login }));
  await mergePatch(world, 'cluster/cls-2', { spec: { machines } });
  const held = await taken(world, 'cluster', 'cls-2');
  expect(textAt(held, 'status', 'message')).toContain(`${second} port 22 is the Machine ${worker} already.`);
  // All the others go first: else the next of them would take its place.
  const others = names.filter((name) => name !== worker);
  const removed = await world.kubectl(['delete', 'machine', ...others, worker, '--timeout=300s']);
  expect(removed.error).toBe('');
  await untilReady(world, 'cluster', 'cls-2');
  expect(world.noted().at(-1)).toBe(`${second} PreInstall`);
});

test('a world that cannot be opened leaves nothing behind', async () => {
  const left = (): readonly string[] => [
    ...execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.startsWith(networkPrefix)),
    ...execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('sshd')),
  ];
  const folders = (): readonly string[] =>
    readdirSync('/var/tmp').filter((name) => name.startsWith(`boathook-sshd-${process.pid}-`));
  const before = folders();
  await expect(openObjectsWorld([...all.slice(0, 1), { address: 'no address' }])).rejects.toThrow();
  await expect(openObjectsWorld(all.slice(0, 1), { flags: ['--no-such-flag'] })).rejects.toThrow(
    /no-such-flag/,
  );
  expect(left()).toEqual([]);
  expect(folders().filter((name) => !before.includes(name))).toEqual([]);
});
