import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import { millis } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { Secret } from '#edge/secret.ts';
import { createConnector } from '#edge/ssh/connect.ts';
import { openHostKeys } from '#edge/ssh/host-keys.ts';
import {
  clusterOf,
  conditionOf,
  isFalse,
  isTrue,
  openObjectsWorld,
  notingHooks,
} from '../support/machine-objects-world.ts';
import { openHosts, type TestHost } from '../support/sshd.ts';

const [first, second] = ['192.0.2.1', '192.0.2.2'] as const;
const both = [first, second].map((address) => ({ address, password: 'secret-1' }));
const quiet = new AbortController().signal;

/** Everything of its SSH server; from outside, since no process in a namespace may stop its first process. */
function signalServer(host: TestHost | undefined, signal: 'STOP' | 'CONT'): void {
  const config = `${host?.folder ?? ''}/sshd_config`;
  const listed = execFileSync('ps', ['-eo', 'pid=,comm=,args='], { encoding: 'utf8' }).split('\n');
  const server = listed.find((line) => /^ *\d+ sshd /.test(line) && line.includes(config));
  process.kill(Number.parseInt(server ?? '', 10), `SIG${signal}`);
  host?.run('pkill', `-${signal}`, 'sshd');
}

const message = (object: JsonObject, type: string): string =>
  textAt(conditionOf(object, type), 'message') ?? '';

test('a connection to a machine that is frozen ends all the same', async () => {
  await using hosts = openHosts();
  const host = await hosts.add();
  const connector = createConnector({
    hostKeys: openHostKeys({ files: [], record: undefined, insecure: true }),
    agentSocket: undefined,
    timeout: millis(10_000),
    clock: systemClock,
    random: systemRandom,
  });
  const methods = [{ type: 'privateKey' as const, key: new Secret(readFileSync(hosts.key, 'utf8')) }];
  const { address, port } = host;
  const login = { user: 'root', sudo: true, methods };
  const connected = await connector.connect({ address, port, login }, quiet);
  if (connected.type !== 'connected') throw new Error(connected.message);
  const { shell } = connected;
  const channel = await shell.open('exec cat', [], quiet);
  signalServer(host, 'STOP');
  shell.close();
  await shell.closed;
  expect(await channel.ended).toBeUndefined();
});

test('a machine that freezes during a script is reported, and its script is followed when it recovers', async () => {
  await using world = await openObjectsWorld(both);
  const given = notingHooks(world, 'PreInstall', 'PostInstall');
  const go = join(world.own.folder, 'go');
  world.noting('hooks/PreInstall', `while [ ! -e ${go} ]; do sleep 0.1; done\n`);
  await world.apply(clusterOf('cls-frozen', [first, second], given));
  await world.untilNoted(/ PreInstall/, 2);
  const host = world.hosts.get(second);
  signalServer(host, 'STOP');
  world.script('../go', '');
  const told = await world.until('cluster', 'cls-frozen', (object) =>
    isFalse(object, 'EnsurePreInstallHook'),
  );
  expect(message(told, 'EnsurePreInstallHook')).toBe(
    '192.0.2.2: root@192.0.2.2 cannot be reached: it does not answer in time (look whether it hangs, and whether its SSH server runs).',
  );
  signalServer(host, 'CONT');
  await world.until('cluster', 'cls-frozen', (object) => isTrue(object, 'Ready'));
  expect(world.noted().toSorted()).toEqual(
    [first, second].flatMap((node) => [`${node} PostInstall`, `${node} PreInstall`]),
  );
});

test('a full disk is reported with what is free, and the files are copied when there is room', async () => {
  await using world = await openObjectsWorld([
    { address: first, password: 'secret-1', disks: { '/tmp': '256k' } },
  ]);
  const given = notingHooks(world, 'PreInstall');
  const host = world.hosts.get(first);
  host?.run('sh', '-c', 'head -c 300000 /dev/zero >/tmp/big 2>/dev/null; true');
  await world.apply(clusterOf('cls-full', [first], given));
  const told = await world.until('cluster', 'cls-full', (object) => isFalse(object, 'EnsureCopyFiles'));
  expect(message(told, 'EnsureCopyFiles')).toMatch(
    /^192\.0\.2\.1: The disk of root@192\.0\.2\.1 is full: \/tmp\/hooks\/PreInstall needs \d+ bytes, 0 KiB are free\./,
  );
  host?.run('rm', '/tmp/big');
  await world.until('cluster', 'cls-full', (object) => isTrue(object, 'Ready'));
  expect(world.noted()).toEqual([`${first} PreInstall`]);
});

test('a source that changes between plan and copy is not run in part: it is reported, and planned again', async () => {
  await using world = await openObjectsWorld(both.slice(0, 1));
  const host = world.hosts.get(first);
  world.noting('hooks/PreInstall', 'echo as it was planned\n');
  const features = (name: string): JsonObject => ({
    files: [{ src: 'hooks', dst: `/tmp/${name}` }],
    hooks: { PreInstall: `/tmp/${name}/PreInstall` },
  });
  /** Planned and not copied: its machine does not answer. */
  const planned = async (name: string): Promise<void> => {
    signalServer(host, 'STOP');
    await world.apply(clusterOf(name, [first], features(name)));
    await world.until('cluster', name, (object) => textAt(object, 'status', 'operation', 'id') !== undefined);
  };
  const changed = (object: JsonObject): boolean =>
    /hooks\/PreInstall has changed since the plan was made/.test(message(object, 'EnsureCopyFiles'));

  await planned('cls-changed');
  world.noting('hooks/PreInstall', 'echo as it is now\n');
  signalServer(host, 'CONT');
  await world.until('cluster', 'cls-changed', changed);
  await world.until('cluster', 'cls-changed', (object) => isTrue(object, 'Ready'));
  expect(world.noted()).toEqual([`${first} PreInstall`]);
  expect(host?.run('tail', '-1', '/tmp/cls-changed/PreInstall')).toBe('echo as it is now\n');

  expect((await world.kubectl(['delete', 'cluster', 'cls-changed', '--timeout=300s'])).error).toBe('');
  await planned('cls-gone');
  const away = join(world.own.folder, 'away');
  renameSync(join(world.root, 'hooks'), away);
  signalServer(host, 'CONT');
  await world.until('cluster', 'cls-gone', changed);
  await world.boathook('cluster', 'retry', 'cls-gone');
  await world.until('cluster', 'cls-gone', (object) =>
    /files\/0\/src.*does not exist/.test(message(object, 'EnsureCopyFiles')),
  );
  renameSync(away, join(world.root, 'hooks'));
  await world.boathook('cluster', 'retry', 'cls-gone');
  await world.until('cluster', 'cls-gone', (object) => isTrue(object, 'Ready'));
  expect(world.noted()).toEqual([`${first} PreInstall`, `${first} PreInstall`]);
});
