import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { clusterOf, isTrue, openObjectsWorld, notingHooks } from '../support/machine-objects-world.ts';

const [first, second] = ['192.0.2.1', '192.0.2.2'] as const;
const shortLease = ['--lease-duration', '6s', '--renew-deadline', '5s', '--retry-period', '1s'];
const both = [first, second].map((address) => ({ address, password: 'secret-1' }));

test('of two controllers one works; when it is killed the other continues with the very same scripts', async () => {
  await using world = await openObjectsWorld(both, { flags: ['--controllers', 'none'] });
  const go = join(world.own.folder, 'go');
  const given = notingHooks(world, 'PreInstall', 'PostInstall');
  world.noting('hooks/PreInstall', `while [ ! -e ${go} ]; do sleep 0.1; done\n`);
  await using one = world.follow(
    'controller',
    '--files-root',
    world.root,
    '--data-dir',
    join(world.own.folder, 'one'),
    ...shortLease,
  );
  await one.lineLike(/^running /);
  await using other = world.follow(
    'controller',
    '--files-root',
    world.root,
    '--data-dir',
    join(world.own.folder, 'two'),
    ...shortLease,
  );
  await other.lineLike(/stands for election/);
  await world.apply(clusterOf('cls-two', [first, second], given));
  await world.untilNoted(/ PreInstall/, 2);
  await one.stop('SIGKILL');
  await other.lineLike(/^running /);
  writeFileSync(go, '');
  await world.until('cluster', 'cls-two', (object) => isTrue(object, 'Ready'));
  expect(world.noted().toSorted()).toEqual([
    `${first} PostInstall`,
    `${first} PreInstall`,
    `${second} PostInstall`,
    `${second} PreInstall`,
  ]);
});

test('deleted in the middle of a script: the script is ended, and the hooks of the deletion run', async () => {
  await using world = await openObjectsWorld(both);
  const given = notingHooks(world, 'PreInstall', 'PostInstall', 'PreClusterDelete', 'PostClusterDelete');
  world.noting('hooks/PreInstall', 'sleep 600\n');
  await world.apply(clusterOf('cls-cut', [first, second], given));
  await world.untilNoted(/ PreInstall/, 2);
  expect((await world.kubectl(['delete', 'cluster', 'cls-cut', '--timeout=300s'])).error).toBe('');
  expect(world.hosts.get(second)?.test("pgrep -f '[h]ooks/PreInstall'")).toBe(false);
  expect(world.noted().filter((line) => !line.includes(' PreInstall'))).toEqual([
    `${first} PreClusterDelete`,
    `${first} PostClusterDelete`,
  ]);
});

test('a master that is added joins by itself; one that is taken away is forgotten; the first one stays', async () => {
  await using world = await openObjectsWorld(both);
  const given = notingHooks(world, 'PreClusterInstall', 'PreInstall', 'PostInstall', 'PostClusterInstall');
  await world.apply(clusterOf('cls-grow', [first], given));
  await world.until('cluster', 'cls-grow', (object) => isTrue(object, 'Ready'));
  const before = world.noted().length;
  await world.apply(clusterOf('cls-grow', [first, second], given));
  const grown = await world.until(
    'cluster',
    'cls-grow',
    (object) => listAt(object, 'status', 'machines').length === 2,
  );
  expect(grown).toMatchObject({ status: { phase: 'Running' } });
  expect(world.noted().slice(before)).toEqual([`${second} PreInstall`, `${second} PostInstall`]);
  await world.apply(clusterOf('cls-grow', [first], given));
  await world.until('cluster', 'cls-grow', (object) => listAt(object, 'status', 'machines').length === 1);
  expect(world.noted()).toHaveLength(before + 2);
  const refused = await world.kubectl(
    ['apply', '-f', '-'],
    JSON.stringify(clusterOf('cls-grow', [second], given)),
  );
  expect(refused.error).toContain('the first machine cannot be replaced');
});

test('a HookTemplate runs a script of a Cluster on its machines, and only what the Cluster delivers', async () => {
  await using world = await openObjectsWorld(both);
  const given = notingHooks(world, 'PreInstall');
  world.noting('hooks/check', 'echo "free: $1"\n[ "$1" != bad ] || { echo full >&2; exit 3; }\n');
  await world.apply(clusterOf('cls-ask', [first, second], given));
  await world.until('cluster', 'cls-ask', (object) => isTrue(object, 'Ready'));
  const run = (name: string, machine: JsonObject): JsonObject => ({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookRun',
    metadata: { name, namespace: 'default' },
    spec: {
      args: [{ name: 'word', value: 'two words; reboot' }],
      metrics: [
        {
          name: 'disk',
          consecutiveErrorLimit: 0,
          provider: { machine: { cluster: 'cls-ask', script: '/tmp/hooks/check', ...machine } },
        },
      ],
    },
  });
  const ended = (object: JsonObject): boolean =>
    ['Successful', 'Failed', 'Error'].includes(textAt(object, 'status', 'phase') ?? '');
  await world.apply(run('good', { on: 'all', args: ['{{ args.word }}'] }));
  const good = await world.until('hookrun', 'good', ended);
  expect(good).toMatchObject({
    status: {
      phase: 'Successful',
      metricResults: [
        {
          measurements: [
            { value: [first, second].map((node) => `${node}: free: two words; reboot`).join('\n') },
          ],
        },
      ],
    },
  });
  expect(world.noted().filter((line) => line.includes(' check'))).toEqual([
    `${first} check two words; reboot`,
    `${second} check two words; reboot`,
  ]);
  await world.apply(run('bad', { args: ['bad'] }));
  const bad = await world.until('hookrun', 'bad', ended);
  expect(bad).toMatchObject({ status: { phase: 'Failed' } });
  expect(JSON.stringify(bad['status'])).toMatch(/ended with exit code 3\\nfull/);
  await world.apply(run('foreign', { script: '/bin/sh' }));
  const foreign = await world.until('hookrun', 'foreign', ended);
  expect(foreign).toMatchObject({ status: { phase: 'Error' } });
  expect(JSON.stringify(foreign['status'])).toContain(
    '/bin/sh is not delivered by spec.features.files of Cluster cls-ask',
  );
});
