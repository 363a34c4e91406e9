import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  isFalse,
  isTrue,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const [first, second] = ['192.0.2.1', '192.0.2.2'] as const;
const hosts = [first, second].map((address) => ({ address, password: 'secret-1' }));

const files = [{ src: 'hooks', dst: '/tmp/hooks' }];
const pre = { files, hooks: { PreInstall: '/tmp/hooks/pre' } };

function written(world: ObjectsWorld, name: string, ...objects: readonly JsonObject[]): string {
  const path = join(world.root, name);
  writeFileSync(path, objects.map((object) => JSON.stringify(object, null, 2)).join('\n---\n'));
  return path;
}

/** A worker as people write it beside its Cluster: without the name of either. */
function unnamed(address: string): JsonObject {
  const { spec, metadata: _metadata, ...machine } = machineOf('', '', address);
  const { clusterName: _cluster, ...rest } = spec as JsonObject;
  return { ...machine, spec: rest };
}

test('create posts a Cluster and its Machines and follows them; status and logs print those of each', async () => {
  await using world = await openObjectsWorld(hosts);
  world.script('hooks/pre', '#!/bin/sh\nprintf "on $BOATHOOK_NODE"\n');
  const file = written(world, 'both.yaml', clusterOf('cls-1', [first], pre), unnamed(second));
  const made = await world.boathook('cluster', 'create', '-f', file);
  expect(made).toMatchObject({ code: 0, error: '' });
  const said = made.out.split('\n');
  expect(said.slice(0, 2)).toEqual(['Cluster cls-1 is created', 'Machine mc-192-0-2-2 is created']);
  expect(said).toContain('Cluster cls-1 EnsurePreInstallHook: True');
  expect(said.at(-2)).toBe('Machine mc-192-0-2-2 Ready: True');
  const again = await world.boathook('cluster', 'create', '-f', file);
  expect(again.code).toBe(1);
  expect(again.error).toContain('"cls-1" already exists');

  const status = await world.boathook('cluster', 'status', 'mc-192-0-2-2');
  expect(status.out).toBe(
    'mc-192-0-2-2: Running\nEnsureCopyFiles: True\nEnsurePreInstallHook: True\nReady: True\n',
  );
  const json = await world.boathook('cluster', 'status', 'cls-1', '-o', 'json');
  expect(JSON.parse(json.out)).toMatchObject({ phase: 'Running', machines: [{ ip: first }] });
  const yaml = await world.boathook('cluster', 'status', 'cls-1', '-o', 'yaml');
  expect(yaml).toMatchObject({ code: 2, out: '' });
  const logs = (name: string, ...more: readonly string[]) =>
    world.boathook('cluster', 'logs', name, '--data-dir', world.dataDir, ...more);
  expect((await logs('cls-1')).out).toMatch(/^==> 192\.0\.2\.1 node-pre_PreInstall\..*\non 192\.0\.2\.1\n$/);
  expect((await logs('mc-192-0-2-2')).out).toMatch(/^==> mc-192-0-2-2 .*\non mc-192-0-2-2\n$/);
  expect(await logs('cls-1', '--node', 'nope')).toMatchObject({
    code: 2,
    error: expect.stringContaining(first) as string,
  });
  expect(await world.boathook('cluster', 'logs', 'cls-1')).toEqual({
    code: 0,
    signal: null,
    out: `==> ${first} node-pre/PreInstall attempt 1\non ${first}\n`,
    error: '',
  });
});

test('files as they come: stdin, comments, several Clusters, strangers, nonsense', async () => {
  await using world = await openObjectsWorld(hosts.slice(0, 1));
  world.noting('hooks/pre');
  const { metadata: _metadata, ...nameless } = clusterOf('', [first], pre);
  writeFileSync(join(world.root, 'seed'), `${JSON.stringify(nameless, null, 1)} // as in the document\n`);
  const piped = await world.shell(
    'boathook cluster create -f - < seed && cat seed | boathook cluster create -f -',
  );
  expect(piped.out).toMatch(/^Cluster cls-[0-9a-f]{8} is created\n[^]*Ready: True\n$/);
  expect(piped.error).toContain('already exists');

  const fails = async (...objects: readonly JsonObject[]): Promise<string> => {
    const ended = await world.boathook('cluster', 'create', '-f', written(world, 'bad.yaml', ...objects));
    expect(ended).toMatchObject({ code: 2, out: '' });
    return ended.error;
  };
  const one = clusterOf('cls-1', [first], pre);
  expect(await fails(one, clusterOf('cls-2', [first], pre))).toContain('found: 2 of them');
  expect(await fails(one, { apiVersion: 'v1', kind: 'ConfigMap' })).toContain('a ConfigMap');
  expect(await fails(machineOf('mc-1', 'cls-1', second))).toContain('found: 0 of them');
  expect(await fails(one, machineOf('mc-1', 'cls-9', second))).toContain(
    'the machine belongs to "cls-9", not to "cls-1"',
  );
  writeFileSync(join(world.root, 'torn'), '{"kind": "Cluster", "password": "sentinel');
  for (const path of ['torn', 'missing', 'hooks']) {
    const ended = await world.boathook('cluster', 'create', '-f', path);
    expect(ended, path).toMatchObject({ code: 2, out: '' });
    expect(ended.error).not.toContain('sentinel');
  }
  const late = await world.boathook('cluster', 'create', '-f', 'seed', '--timeout', 'soon');
  expect(late).toMatchObject({ code: 2, error: expect.stringContaining('--timeout soon') as string });

  const bogus = ['--installer', 'ansible', '--no-wait'];
  const refused = await world.boathook('cluster', 'create', '-f', written(world, 'one.yaml', one), ...bogus);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.error).toContain('spec.installer: Unsupported value: "ansible"');

  // What was made before a refusal is named, since it stays.
  const half = written(world, 'half.yaml', one, { ...unnamed(second), metadata: { name: 'Wrong' } });
  const partly = await world.boathook('cluster', 'create', '-f', half);
  expect(partly).toMatchObject({ code: 1, out: 'Cluster cls-1 is created\n' });
  expect(partly.error).toContain('Machine Wrong');
});

test('interrupted, late, paused, deleted: the command ends, or waits, and prints what remains', async () => {
  await using world = await openObjectsWorld(hosts);
  world.script('hooks/pre', '#!/bin/sh\necho first >&2\necho no disk left >&2\nexit 7\n');
  const file = (name: string, address: string, more: JsonObject = {}): string =>
    written(world, `${name}.json`, clusterOf(name, [address], pre, more));

  const interrupted = world.follow('cluster', 'create', '-f', file('cls-int', first));
  await interrupted.lineLike(/EnsurePreInstallHook: False \(FailedInit: 192\.0\.2\.1: .* exit code 7/);
  expect(await interrupted.stop('SIGINT')).toEqual({ code: 130, signal: null });
  expect(interrupted.errors()).toContain(
    'interrupted. Cluster cls-int remains, and the controller continues; wait for it with: kubectl wait --for=condition=Ready cluster/cls-int',
  );
  const status = await world.boathook('cluster', 'status', 'cls-int');
  expect(status.out).toContain('exit code 7\n  first\n  no disk left\n');
  expect(status.out.split('exit code 7')).toHaveLength(2);
  const waited = ['wait', '--for=condition=Ready', 'cluster/cls-int', '--timeout=1s'];
  expect((await world.kubectl(waited)).code).toBe(1);

  // What is wrong with it is found without a machine.
  const wrong = clusterOf('cls-late', [second], { files: [{ src: 'nowhere', dst: '/tmp/x' }] });
  const inTime = ['-f', written(world, 'cls-late.json', wrong), '--timeout', '2s'];
  const late = await world.boathook('cluster', 'create', ...inTime);
  expect(late.code).toBe(124);
  expect(late.error).toMatch(
    /Cluster cls-late is not ready after 2s: Ready: False \(InvalidSpec: [^]*remains/,
  );

  const paused = world.follow('cluster', 'create', '-f', file('cls-paused', '192.0.2.8', { paused: true }));
  await paused.lineLike(/Ready: False \(PausedByUser: .*set spec\.paused to false/);
  const listed = await world.kubectl(['get', 'cluster', 'cls-paused', '--no-headers']);
  expect(listed.out).toMatch(/^cls-paused +Baremetal +1\.30\.1 +Waiting /);
  await world.apply(machineOf('mc-paused', 'cls-paused', '192.0.2.9'));
  const goOn = `is paused. To resume: kubectl patch cluster cls-paused --type merge -p '{"spec":{"paused":false}}'\n`;
  expect(await world.boathook('cluster', 'retry', 'cls-paused')).toMatchObject({
    code: 1,
    out: '',
    error: `boathook: Cluster cls-paused ${goOn}`,
  });
  expect((await world.boathook('cluster', 'retry', 'mc-paused')).error).toBe(
    `boathook: Machine mc-paused is not retried: its Cluster cls-paused ${goOn}`,
  );
  await world.kubectl(['delete', 'cluster', 'cls-paused']);
  expect(await paused.ended).toEqual({ code: 1, signal: null });
  expect(paused.errors()).toContain('cls-paused was deleted');

  // Fixed while a user follows it: it continues there.
  world.noting('hooks/pre');
  expect((await world.boathook('cluster', 'retry', 'cls-int')).out).toBe('cls-int is retried now\n');
  const ready = await world.kubectl(['wait', '--for=condition=Ready', 'cluster/cls-int', '--timeout=300s']);
  expect(ready).toMatchObject({ code: 0 });
});

test('a server that restarts is waited for; an absent one is reported', async () => {
  await using world = await openObjectsWorld(hosts.slice(0, 1), { flags: ['--port', '6443'] });
  world.script('hooks/pre', '#!/bin/sh\nexit 7\n');
  const file = written(world, 'c.json', clusterOf('cls-1', [first], pre));
  const following = world.follow('cluster', 'create', '-f', file);
  await following.lineLike(/EnsurePreInstallHook: False/);
  await world.kill();
  await following.lineLike(/^cls-1 cannot be read now: /);
  for (const verb of ['status', 'logs', 'retry'])
    expect(await world.boathook('cluster', verb, 'cls-1')).toMatchObject({
      code: 5,
      error: expect.stringContaining('cannot be reached') as string,
    });
  expect((await world.boathook('cluster', 'create', '-f', file)).code).toBe(5);
  world.noting('hooks/pre');
  await world.restart();
  await following.lineLike(/Cluster cls-1 Ready: True/);
  expect(await following.ended).toEqual({ code: 0, signal: null });
});

test('events are sentences, and objects that do not exist are named', async () => {
  await using world = await openObjectsWorld(hosts.slice(0, 1));
  world.noting('hooks/pre');
  await world.apply(
    clusterOf('cls-1', [first], pre),
    clusterOf('cls-2', [second], { files: [{ src: 'no', dst: '/n' }] }),
  );
  await world.until('cluster', 'cls-1', (object) => isTrue(object, 'Ready'));
  const bad = await world.until('cluster', 'cls-2', (object) => isFalse(object, 'EnsureCopyFiles'));
  expect(textAt(bad, 'status', 'message')).toContain('/spec/features/files/0/src: the source');
  await world.told(/ has started\./, / PreInstall has run on /, / is complete\./, /InvalidSpec/);
  const described = (await world.kubectl(['describe', 'cluster', 'cls-1'])).out;
  expect(described).toMatch(/Normal +Started .* cluster\.create .* has started\./);
  expect(described).toMatch(/Normal +HookSucceeded .* PreInstall has run on 192\.0\.2\.1\./);
  expect(described).toMatch(/Normal +Completed .* is complete\./);
  expect((await world.kubectl(['describe', 'cluster', 'cls-2'])).out).toMatch(
    /Warning +InvalidSpec .* does not exist/,
  );
  for (const verb of ['status', 'logs', 'retry'])
    expect(await world.boathook('cluster', verb, 'nope')).toMatchObject({
      code: 1,
      error: 'boathook: Cluster or Machine nope does not exist\n',
    });
});
