import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  machineOf,
  openObjectsWorld,
  notingHooks,
  untilReady,
  mergePatch,
} from '../support/machine-objects-world.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
const all = [first, second, third].map((address) => ({ address, password: 'secret-1' }));

/** The task that an operation is at. */
const taskOf = (object: JsonObject): Json | undefined =>
  listAt(listAt(object, 'status', 'operation', 'steps').at(-1), 'tasks')[0];
const messageOf = (object: JsonObject): string => textAt(object, 'status', 'message') ?? '';

test('changed in the middle of a script: that one ends and counts, what follows is as it is written now', async () => {
  await using world = await openObjectsWorld(all);
  const go = join(world.own.folder, 'go');
  const given = notingHooks(world, 'PreInstall', 'PostInstall', 'PostClusterInstall');
  world.noting('hooks/PreInstall', `while [ ! -e ${go} ]; do sleep 0.1; done\n`);
  await world.apply(clusterOf('cls-edit', [first, second], given));
  await world.untilNoted(/ PreInstall/, 2);
  world.noting('other/better');
  const files = [
    { src: 'hooks', dst: '/tmp/hooks' },
    { src: 'other', dst: '/tmp/other' },
  ];
  await mergePatch(world, 'cluster/cls-edit', {
    metadata: { labels: { tier: 'gold' } },
    spec: { features: { files, hooks: { PostInstall: '/tmp/other/better' } } },
  });
  await mergePatch(world, 'cluster/cls-edit', { spec: { paused: true } });
  await mergePatch(world, 'cluster/cls-edit', { spec: { paused: false } });
  writeFileSync(go, '');
  await untilReady(world, 'cluster', 'cls-edit');
  expect(world.noted().toSorted()).toEqual([
    `${first} PostClusterInstall tier=gold`,
    `${first} PreInstall`,
    `${first} better`,
    `${second} PreInstall`,
    `${second} better`,
  ]);
});

test('a label that a hook is given counts as a change: the next try is now', async () => {
  await using world = await openObjectsWorld(all.slice(0, 1));
  const given = notingHooks(world, 'PreClusterInstall');
  const ranAt = join(world.own.folder, 'ran-at');
  world.noting(
    'hooks/PreClusterInstall',
    `date +%s > ${ranAt}\ncase "$*" in *ok=yes*) ;; *) exit 3;; esac\n`,
  );
  await world.apply(clusterOf('cls-label', [first], given));
  // The pause after this failure is eight seconds long.
  const waiting = await world.until(
    'cluster',
    'cls-label',
    (object) => numberAt(taskOf(object), 'failures') === 4 && textAt(taskOf(object), 'state') === 'Failed',
  );
  const planned = Date.parse(textAt(taskOf(waiting), 'since') ?? '') + 8000;
  await mergePatch(world, 'cluster/cls-label', { metadata: { labels: { ok: 'yes' } } });
  await untilReady(world, 'cluster', 'cls-label');
  expect(world.noted().at(-1)).toBe(`${first} PreClusterInstall ok=yes`);
  expect(world.noted().filter((line) => line.endsWith('ok=yes'))).toHaveLength(1);
  expect(Number(readFileSync(ranAt, 'utf8')) * 1000).toBeLessThan(planned);
});

test('a worker can leave an upgrade that waits for it, and the cluster by force when it is gone', async () => {
  await using world = await openObjectsWorld(all);
  const given = notingHooks(world, 'PreUpgrade', 'PostUpgrade');
  await world.apply(clusterOf('cls-up', [first, second], given), machineOf('mc-1', 'cls-up', third));
  await untilReady(world, 'machine', 'mc-1');
  const go = join(world.own.folder, 'go');
  world.noting('hooks/PreUpgrade', `while [ ! -e ${go} ]; do sleep 0.1; done\n`);
  await mergePatch(world, 'cluster/cls-up', { spec: { version: '1.31.0' } });
  await world.untilNoted(/ PreUpgrade/, 1);
  expect((await world.get('machine', 'mc-1'))?.['status']).toMatchObject({ phase: 'Running' });
  await world.hosts.get(third)?.stop();
  writeFileSync(go, '');
  const upgrading = await world.until(
    'machine',
    'mc-1',
    (object) => textAt(object, 'status', 'phase') === 'Upgrading',
  );
  expect(upgrading).toMatchObject({ status: { message: 'The Cluster cls-up upgrades it to 1.31.0.' } });
  const stuck = await world.until('cluster', 'cls-up', (object) => messageOf(object).includes(third));
  expect(stuck).toMatchObject({ status: { phase: 'Upgrading', reason: 'FailedUpdate' } });
  await world.kubectl(['delete', 'machine', 'mc-1', '--wait=false']);
  const done = await untilReady(world, 'cluster', 'cls-up');
  expect(done).toMatchObject({ status: { version: '1.31.0' } });
  expect(world.noted().filter((line) => line.includes('PostUpgrade'))).toEqual([
    `${first} PostUpgrade`,
    `${second} PostUpgrade`,
  ]);
  const kept = await world.until('machine', 'mc-1', (object) => messageOf(object).includes(third));
  expect(messageOf(kept)).toMatch(
    /cannot be reached.* To delete it anyway, set spec\.forceDelete to true\.$/,
  );
  await mergePatch(world, 'machine/mc-1', { spec: { forceDelete: true } });
  await world.gone('machine', 'mc-1');
});

test('the deletion of a Cluster deletes a worker that is just joining, and what it kept of them', async () => {
  await using world = await openObjectsWorld(all);
  const given = notingHooks(world, 'PreInstall', 'PostInstall', 'PreClusterDelete');
  await world.apply(clusterOf('cls-gone', [first], given));
  await untilReady(world, 'cluster', 'cls-gone');
  world.noting('hooks/PreInstall', 'sleep 600\n');
  await world.apply(machineOf('mc-1', 'cls-gone', third));
  await world.untilNoted(/mc-1 PreInstall/, 1);
  expect((await world.kubectl(['delete', 'cluster', 'cls-gone', '--timeout=300s'])).error).toBe('');
  await world.gone('machine', 'mc-1');
  const worker = world.hosts.get(third);
  expect(worker?.test("pgrep -f '[h]ooks/PreInstall'")).toBe(false);
  expect(worker?.test('test -e /tmp/hooks/PreInstall')).toBe(false);
  expect(world.noted().slice(2)).toEqual(['mc-1 PreInstall', `${first} PreClusterDelete`]);
});
