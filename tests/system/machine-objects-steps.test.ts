import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { installStandIn, kubeadmStandIn, newsIn } from '../support/kubeadm-stand-in.ts';
import {
  clusterOf,
  conditionOf,
  isFalse,
  isTrue,
  machineOf,
  openObjectsWorld,
  untilReady,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';
import type { TestHost } from '../support/sshd.ts';

const [first, second] = ['192.0.2.11', '192.0.2.12'] as const;
const folders = ['/tmp', '/usr/local/bin', '/etc/kubernetes', '/var/lib/kubelet'];

/** Machines on which nothing is installed yet. */
async function bareHosts(world: ObjectsWorld): Promise<readonly TestHost[]> {
  const netns = (await world.shell('ip netns identify $$')).out.trim();
  const hosts = [];
  for (const address of [first, second]) {
    await world.shell(`ip addr add ${address}/32 dev lo`);
    const accounts = [{ name: 'root', password: 'secret-1' }];
    hosts.push(await world.own.add({ addresses: [address], port: 22, netns, folders, accounts }));
  }
  return hosts;
}

const refuse = (world: ObjectsWorld, ...calls: readonly string[]): void =>
  writeFileSync(`${world.notes}.refuse`, calls.map((call) => `${call}\n`).join(''));
const allow = (world: ObjectsWorld): void => rmSync(`${world.notes}.refuse`);

const kubeadm = { installer: 'kubeadm', parallel: 1, hookTimeout: '1m' };

/** Shown when a step of the installer keeps failing. */
const failing = (object: JsonObject, condition: string, reason: string, text: RegExp): void => {
  expect(conditionOf(object, condition)).toMatchObject({
    status: 'False',
    reason,
    message: expect.stringMatching(text),
  });
  expect(object).toMatchObject({ status: { reason, message: expect.stringMatching(text) } });
  expect(conditionOf(object, 'Ready')).toMatchObject({ status: 'False', reason });
};

test('a step of kubeadm that fails is in the conditions of its object, while it is tried and when it is done', async () => {
  await using world = await openObjectsWorld([]);
  for (const host of await bareHosts(world)) installStandIn(host, kubeadmStandIn(world.notes));
  refuse(world, `${first} kubeadm init --config`);
  await world.apply(clusterOf('cls-1', [first], {}, kubeadm));
  const stuck = await world.until('cluster', 'cls-1', (object) => isFalse(object, 'EnsureInit'));
  failing(
    stuck,
    'EnsureInit',
    'FailedInit',
    /^192\.0\.2\.11: init ended with exit code 9\nkubeadm: no space left/,
  );
  expect(isTrue(stuck, 'EnsurePreflight')).toBe(true);
  const row = (await world.kubectl(['get', 'cluster', 'cls-1', '--no-headers'])).out.trim().split(/\s+/);
  expect(row.slice(0, 5)).toEqual(['cls-1', 'Baremetal', '1.30.1', 'Initializing', 'FailedInit']);
  const waited = await world.kubectl([
    'wait',
    '--for=condition=EnsureInit=False',
    'cluster/cls-1',
    '--timeout=300s',
  ]);
  expect(waited.out).toContain('condition met');
  allow(world);
  expect((await world.boathook('cluster', 'retry', 'cls-1')).code).toBe(0);
  const made = await untilReady(world, 'cluster', 'cls-1');
  for (const type of ['EnsurePreflight', 'EnsureInit', 'EnsureKubeconfig'])
    expect(isTrue(made, type), type).toBe(true);
  expect(made['status']).not.toHaveProperty('message');

  refuse(world, 'mc-1 kubeadm join');
  await world.apply(machineOf('mc-1', 'cls-1', second));
  const joining = await world.until('machine', 'mc-1', (object) => isFalse(object, 'EnsureJoinNode'));
  failing(joining, 'EnsureJoinNode', 'FailedInit', /^mc-1: join-worker ended with exit code 9/);
  allow(world);
  await world.boathook('cluster', 'retry', 'mc-1');
  expect(isTrue(await untilReady(world, 'machine', 'mc-1'), 'EnsureJoinNode')).toBe(true);

  refuse(world, `${first} kubeadm upgrade apply`);
  await world.apply(clusterOf('cls-1', [first], {}, { ...kubeadm, version: '1.31.0' }));
  const upgrading = await world.until('cluster', 'cls-1', (object) =>
    isFalse(object, 'EnsureUpgradeControlPlaneNode'),
  );
  failing(upgrading, 'EnsureUpgradeControlPlaneNode', 'FailedUpdate', /upgrade-first ended with exit code 9/);
  allow(world);
  await world.boathook('cluster', 'retry', 'cls-1');
  await untilReady(world, 'cluster', 'cls-1');

  refuse(world, `${first} kubeadm reset`);
  expect((await world.kubectl(['delete', 'cluster', 'cls-1', '--wait=false'])).error).toBe('');
  const leaving = await world.until('cluster', 'cls-1', (object) => isFalse(object, 'EnsureReset'));
  failing(leaving, 'EnsureReset', 'FailedDelete', /reset ended with exit code 9/);
  allow(world);
  await world.boathook('cluster', 'retry', 'cls-1');
  await world.gone('cluster', 'cls-1');
  await world.told(
    /StepFailed .* 192\.0\.2\.11: init ended/,
    /StepSucceeded .* init has run on 192\.0\.2\.11\./,
  );
  const events = await world.kubectl(['get', 'events', '-o', 'json']);
  const told = listAt(JSON.parse(events.out) as JsonObject, 'items').map(
    (event) => `${textAt(event, 'reason') ?? ''}: ${textAt(event, 'message') ?? ''}`,
  );
  expect(told).toContainEqual(expect.stringMatching(/^StepFailed: 192\.0\.2\.11: init ended/));
  expect(told).toContain(`StepSucceeded: init has run on ${first}.`);
  expect(told.join('\n')).not.toMatch(/^Hook(Failed|Succeeded)/m);
});

test('a command in the place of an installer that fails is in a condition too', async () => {
  await using world = await openObjectsWorld([{ address: first, password: 'secret-1' }]);
  world.script('commands/init', '#!/bin/sh\necho no disk >&2\nexit 5\n');
  await world.apply(clusterOf('cls-own', [first], {}, { installer: 'commands' }));
  const stuck = await world.until('cluster', 'cls-own', (object) => isFalse(object, 'EnsureInit'));
  failing(stuck, 'EnsureInit', 'FailedInit', /^192\.0\.2\.11: init ended with exit code 5\nno disk/);
});

test('a Cluster whose machines never had anything installed is deleted without force, with a message', async () => {
  await using world = await openObjectsWorld([]);
  await bareHosts(world);
  await world.apply(clusterOf('cls-bare', [first], {}, kubeadm));
  const stuck = await world.until('cluster', 'cls-bare', (object) => isFalse(object, 'EnsurePreflight'));
  failing(stuck, 'EnsurePreflight', 'FailedInit', /kubeadm is not installed/);
  expect((await world.kubectl(['delete', 'cluster', 'cls-bare', '--timeout=300s'])).error).toBe('');
  const told = await world.shell(
    'grep -m1 NothingToReset < <(timeout 300 kubectl get events --watch 2>/dev/null)',
  );
  expect(told.out).toContain(`${first}: nothing is installed here: there is nothing to reset.`);
});

test('a deletion without kubeadm does not pass over what a cluster has left on a machine', async () => {
  await using world = await openObjectsWorld([]);
  const [host] = await bareHosts(world);
  if (host === undefined) throw new Error('no host');
  installStandIn(host, kubeadmStandIn(world.notes));
  await world.apply(clusterOf('cls-left', [first], {}, kubeadm));
  await untilReady(world, 'cluster', 'cls-left');
  rmSync(host.path('/usr/local/bin/kubeadm'));
  await world.kubectl(['delete', 'cluster', 'cls-left', '--wait=false']);
  const stuck = await world.until('cluster', 'cls-left', (object) => isFalse(object, 'EnsureReset'));
  failing(
    stuck,
    'EnsureReset',
    'FailedDelete',
    /kubeadm is not installed, but \/etc\/kubernetes\/admin\.conf is there/,
  );
  newsIn(world.notes);
  installStandIn(host, kubeadmStandIn(world.notes));
  await world.boathook('cluster', 'retry', 'cls-left');
  await world.gone('cluster', 'cls-left');
  expect(newsIn(world.notes)).toEqual([`${first} kubeadm reset --force`]);
});
