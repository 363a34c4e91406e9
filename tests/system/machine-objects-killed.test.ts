import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  isTrue,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';
import { followProgram, type Following } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
const all = [first, second, third].map((address) => ({ address, password: 'secret-1' }));

const types = [
  'PreInstall',
  'PostInstall',
  'PreUpgrade',
  'PostUpgrade',
  'PreClusterInstall',
  'PostClusterInstall',
  'PreClusterUpgrade',
  'PostClusterUpgrade',
  'PreClusterDelete',
  'PostClusterDelete',
] as const;

function features(world: ObjectsWorld): JsonObject {
  // Long enough for a death in the middle now and then.
  for (const type of types) world.noting(`hooks/${type}`, 'sleep 0.3\n');
  return {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: Object.fromEntries(types.map((type) => [type, `/tmp/hooks/${type}`])),
  };
}

/** A controller that is killed so many times at a write of its own. */
async function killedController(world: ObjectsWorld, seed: number, deaths: number): Promise<Following> {
  const network = (await world.shell('ip netns identify $$')).out.trim();
  const folder = join(world.own.folder, `killed-${seed}`);
  mkdirSync(folder);
  const words = [
    join(root, 'boathook'),
    'controller',
    '--no-leader-election',
    '--controllers',
    'cluster,machine',
    '--files-root',
    world.root,
    '--data-dir',
    folder,
  ];
  const program = join(root, 'tests', 'support', 'killed-controller.ts');
  const given = [join(world.dataDir, 'kubeconfig'), folder, String(seed), String(deaths), ...words];
  return followProgram('ip', ['netns', 'exec', network, process.execPath, program, ...given]);
}

const counts = (lines: readonly string[]): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const line of lines) found[line] = (found[line] ?? 0) + 1;
  return found;
};

const once = (...lines: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(lines.map((line) => [line, 1]));

/** How it died. */
async function deathsOf(keeper: Following): Promise<readonly string[]> {
  const lines: string[] = [];
  for (;;) {
    const line = await keeper.line().catch(() => undefined);
    if (line === undefined) return lines;
    if (line.startsWith('death ')) lines.push(line);
  }
}

test('killed at write after write, each lost or carried out: every hook runs once', async () => {
  await using world = await openObjectsWorld(all, { flags: ['--controllers', 'none'] });
  const given = features(world);
  const lifted = async (
    most: number,
    act: () => Promise<void>,
  ): Promise<Readonly<Record<string, number>>> => {
    const before = world.noted().length;
    const keeper = await killedController(world, 200 + most, most);
    try {
      await act();
    } finally {
      await keeper.stop('SIGTERM');
    }
    const deaths = await deathsOf(keeper);
    expect(deaths.length).toBeGreaterThan(4);
    return counts(world.noted().slice(before));
  };
  const ready = (kind: string, name: string, version: string): Promise<JsonObject> =>
    world.until(
      kind,
      name,
      (object) => isTrue(object, 'Ready') && textAt(object, 'status', 'version') === version,
    );

  const made = await lifted(15, async () => {
    await world.apply(
      clusterOf('cls-killed', [first, second], given),
      machineOf('mc-1', 'cls-killed', third),
    );
    await ready('cluster', 'cls-killed', '1.30.1');
    await ready('machine', 'mc-1', '1.30.1');
  });
  const nodes = [first, second, 'mc-1'];
  expect(made).toEqual(
    once(
      `${first} PreClusterInstall`,
      ...nodes.flatMap((node) => [`${node} PreInstall`, `${node} PostInstall`]),
      `${first} PostClusterInstall`,
    ),
  );

  const upgraded = await lifted(16, async () => {
    const patch = '{"spec":{"version":"1.31.0"}}';
    await world.kubectl(['patch', 'cluster', 'cls-killed', '--type=merge', '-p', patch]);
    await ready('cluster', 'cls-killed', '1.31.0');
    await ready('machine', 'mc-1', '1.31.0');
  });
  expect(upgraded).toEqual(
    once(
      `${first} PreClusterUpgrade`,
      ...nodes.flatMap((node) => [`${node} PreUpgrade`, `${node} PostUpgrade`]),
      `${first} PostClusterUpgrade`,
    ),
  );

  const removed = await lifted(10, async () => {
    await world.kubectl(['delete', 'cluster', 'cls-killed', '--wait=false']);
    await world.gone('cluster', 'cls-killed');
    await world.gone('machine', 'mc-1');
  });
  expect(removed).toEqual(once(`${first} PreClusterDelete`, `${first} PostClusterDelete`));
});

test('two controllers without an election do not hinder each other: one works, and nothing runs twice', async () => {
  await using world = await openObjectsWorld(all, { flags: ['--controllers', 'none'] });
  const given = features(world);
  const run = (name: string): Following =>
    world.follow(
      'controller',
      '--no-leader-election',
      '--controllers',
      'cluster,machine',
      '--files-root',
      world.root,
      '--data-dir',
      join(world.own.folder, name),
    );
  await using one = run('one');
  await using other = run('other');
  await one.lineLike(/^running /);
  await other.lineLike(/^running /);
  await world.apply(clusterOf('cls-raced', [first, second], given), machineOf('mc-1', 'cls-raced', third));
  const holders: string[] = [];
  await world.until('cluster', 'cls-raced', (object) => {
    const holder = textAt(object, 'status', 'operation', 'holder');
    if (holder !== undefined && holder !== holders.at(-1)) holders.push(holder);
    return isTrue(object, 'Ready');
  });
  await world.until('machine', 'mc-1', (object) => isTrue(object, 'Ready'));
  // The controller with the machines works; it may not be the first one in the status, but then it stays.
  expect(holders.length).toBeLessThanOrEqual(2);
  expect(counts(world.noted())).toEqual(
    once(
      `${first} PreClusterInstall`,
      ...[first, second, 'mc-1'].flatMap((node) => [`${node} PreInstall`, `${node} PostInstall`]),
      `${first} PostClusterInstall`,
    ),
  );
});
