import { symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  conditionOf,
  isFalse,
  isTrue,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
const all = [first, second, third].map((address) => ({ address, password: 'secret-1' }));

const hooks = (world: ObjectsWorld, ...types: readonly string[]): JsonObject => {
  for (const type of types) world.noting(`hooks/${type}`);
  return {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: Object.fromEntries(types.map((type) => [type, `/tmp/hooks/${type}`])),
  };
};

const message = (object: JsonObject, type: string): string =>
  textAt(conditionOf(object, type), 'message') ?? '';

test('a broken script blocks with machine, exit code and stderr in its condition, and continues there when fixed', async () => {
  await using world = await openObjectsWorld(all);
  const features = hooks(world, 'PreInstall', 'PostInstall');
  world.noting(
    'hooks/PreInstall',
    `[ "$BOATHOOK_NODE" != ${second} ] || { echo no disk left >&2; exit 7; }\n`,
  );
  await world.apply(clusterOf('cls-broken', [first, second, third], features));
  const hanging = await world.until('cluster', 'cls-broken', (object) =>
    isFalse(object, 'EnsurePreInstallHook'),
  );
  expect(message(hanging, 'EnsurePreInstallHook')).toMatch(
    /^192\.0\.2\.2: PreInstall ended with exit code 7\nno disk left/,
  );
  expect(conditionOf(hanging, 'EnsurePreInstallHook')).toMatchObject({ reason: 'FailedInit' });
  expect(hanging).toMatchObject({ status: { phase: 'Initializing', reason: 'FailedInit' } });
  world.noting('hooks/PreInstall');
  const retried = await world.boathook('cluster', 'retry', 'cls-broken');
  expect(retried.error).toBe('');
  await world.until('cluster', 'cls-broken', (object) => isTrue(object, 'Ready'));
  const ran = world.noted().filter((line) => line.endsWith(' PreInstall'));
  expect(ran.filter((line) => line.startsWith(first))).toHaveLength(1);
  expect(ran.filter((line) => line.startsWith(third))).toHaveLength(1);
  expect(ran.filter((line) => line.startsWith(second)).length).toBeGreaterThan(1);
  expect(world.noted().filter((line) => line.endsWith(' PostInstall'))).toHaveLength(3);
});

test('killed in the middle of a script it continues with that very run', async () => {
  await using world = await openObjectsWorld(all);
  const features = hooks(world, 'PreClusterInstall', 'PreInstall', 'PostInstall');
  const gate = join(world.own.folder, 'go');
  world.noting('hooks/PreInstall', `while [ ! -e ${gate} ]; do sleep 0.1; done\n`);
  await world.apply(clusterOf('cls-killed', [first, second, third], features));
  await world.untilNoted(/ PreInstall/, 3);
  await world.kill();
  expect(world.hosts.get(second)?.test("pgrep -f '[h]ooks/PreInstall'")).toBe(true);
  writeFileSync(gate, '');
  await world.restart();
  await world.until('cluster', 'cls-killed', (object) => isTrue(object, 'Ready'));
  expect(world.noted().toSorted()).toEqual(
    [
      `${first} PreClusterInstall`,
      ...[first, second, third].flatMap((node) => [`${node} PreInstall`, `${node} PostInstall`]),
    ].toSorted(),
  );
});

test('wrong credentials, then right ones from a Secret; a host key that changes', async () => {
  await using world = await openObjectsWorld([{ address: first, password: 'secret-2' }]);
  const features = hooks(world, 'PreInstall', 'PreUpgrade');
  const cluster = clusterOf('cls-login', [first], features);
  await world.apply(cluster);
  const refused = await world.until('cluster', 'cls-login', (object) => isFalse(object, 'EnsureCopyFiles'));
  expect(message(refused, 'EnsureCopyFiles')).toBe(
    `Login refused for root@${first}: check the user, password or key.`,
  );
  expect(JSON.stringify(refused['status'])).not.toContain('secret');
  const wrong = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login', namespace: 'default' } };
  await world.apply({ ...wrong, stringData: { password: 'secret-2' } });
  const machines = [{ ip: first, credentialsFrom: { name: 'login' } }];
  await world.apply({ ...cluster, spec: { ...(cluster['spec'] as JsonObject), machines } });
  const untyped = await world.until('cluster', 'cls-login', (object) =>
    (textAt(object, 'status', 'message') ?? '').includes('must be of type'),
  );
  expect(textAt(untyped, 'status', 'message')).toContain(
    '/spec/machines/0/credentialsFrom: the Secret default/login',
  );
  await world.kubectl(['delete', 'secret', 'login']);
  await world.apply({
    ...wrong,
    type: 'boathook.dev/machine-credentials',
    stringData: { password: 'secret-2' },
  });
  await world.boathook('cluster', 'retry', 'cls-login');
  const made = await world.until('cluster', 'cls-login', (object) => isTrue(object, 'Ready'));
  const host = world.hosts.get(first);
  expect(made).toMatchObject({ status: { hostKeys: { [first]: host?.fingerprint } } });

  await host?.stop();
  host?.newHostKey();
  await host?.start();
  await world.kubectl([
    'patch',
    'cluster',
    'cls-login',
    '--type=merge',
    '-p',
    '{"spec":{"version":"1.31.0"}}',
  ]);
  const changed = await world.until('cluster', 'cls-login', (object) => isFalse(object, 'EnsureCopyFiles'));
  expect(message(changed, 'EnsureCopyFiles')).toMatch(
    /host key of root@192\.0\.2\.1 is refused.*set it in spec\.hostKeys/,
  );
  expect(world.noted()).toEqual([`${first} PreInstall`]);
  const pin = { spec: { hostKeys: { [first]: host?.fingerprint ?? '' } } };
  await world.kubectl(['patch', 'cluster', 'cls-login', '--type=merge', '-p', JSON.stringify(pin)]);
  const upgraded = await world.until('cluster', 'cls-login', (object) => isTrue(object, 'Ready'));
  expect(upgraded).toMatchObject({ status: { version: '1.31.0', phase: 'Running' } });
  expect(world.noted()).toEqual([`${first} PreInstall`, `${first} PreUpgrade`]);
});

test('sources are read below the root alone; nothing is contacted before they are right', async () => {
  await using world = await openObjectsWorld([{ address: first, password: 'secret-1' }]);
  const outside = join(world.own.folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'x'), '#!/bin/sh\n');
  mkdirSync(join(world.root, 'links'));
  symlinkSync(join(outside, 'x'), join(world.root, 'links', 'x'));
  const cases: readonly (readonly [string, RegExp])[] = [
    ['../outside/x', /outside of --files-root/],
    [join(outside, 'x'), /outside of --files-root/],
    ['/etc/shadow', /outside of --files-root/],
    ['links/x', /outside of --files-root .* through the link/],
    ['links', /outside of --files-root .* through the link/],
    ['missing', /does not exist/],
  ];
  for (const [at, [src, says]] of cases.entries()) {
    const features = { files: [{ src, dst: '/tmp/x' }], hooks: {} };
    await world.apply(clusterOf(`cls-${at}`, [first], features));
    const refused = await world.until('cluster', `cls-${at}`, (object) => isFalse(object, 'EnsureCopyFiles'));
    expect(message(refused, 'EnsureCopyFiles'), src).toMatch(says);
    expect(message(refused, 'EnsureCopyFiles'), src).toContain('/spec/features/files/0/src');
    expect((await world.kubectl(['delete', 'cluster', `cls-${at}`, '--timeout=300s'])).error).toBe('');
  }
  expect(world.hosts.get(first)?.run('ls', '-A', '/tmp', '/var/lib/boathook')).toBe(
    '/tmp:\n\n/var/lib/boathook:\n',
  );

  // The links of a mounted ConfigMap stay inside.
  world.noting('mount/..2026/pre');
  symlinkSync('..2026', join(world.root, 'mount', '..data'));
  symlinkSync('..data/pre', join(world.root, 'mount', 'pre'));
  const mounted = { files: [{ src: 'mount', dst: '/tmp/hooks' }], hooks: { PreInstall: '/tmp/hooks/pre' } };
  await world.apply(clusterOf('cls-mount', [first], mounted));
  await world.until('cluster', 'cls-mount', (object) => isTrue(object, 'Ready'));
  expect(world.noted()).toEqual([`${first} pre`]);
});

test('what is malformed is refused when it is applied', async () => {
  await using world = await openObjectsWorld([]);
  const refused = async (features: JsonObject, says: RegExp): Promise<void> => {
    const { code, error } = await world.kubectl(
      ['apply', '-f', '-'],
      JSON.stringify(clusterOf('cls-bad', [first], features)),
    );
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(says) as string });
  };
  await refused({ hooks: { PreInstal: '/x' } }, /unknown field "spec\.features\.hooks\.PreInstal"/);
  await refused({ hooks: { PreInstall: '' } }, /spec\.features\.hooks\.PreInstall/);
  await refused(
    { hooks: { PreInstall: { args: [] } } },
    /spec\.features\.hooks\.PreInstall\.templateName: Required/,
  );
  await refused({ files: [{ src: 'x', dst: 'relative' }] }, /spec\.features\.files\[0\]\.dst/);
});

test('a deletion that is blocked reports why, and how to force it', async () => {
  await using world = await openObjectsWorld(all);
  const features = hooks(world, 'PreClusterDelete');
  await world.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'login', namespace: 'default' },
    type: 'boathook.dev/machine-credentials',
    stringData: { username: 'root', password: 'secret-1' },
  });
  const machines = [{ ip: third, credentialsFrom: { name: 'login' } }];
  await world.apply(clusterOf('cls-poor', [third], features, { machines }));
  await world.apply(clusterOf('cls-lost', [first, second], features));
  for (const name of ['cls-poor', 'cls-lost'])
    await world.until('cluster', name, (object) => isTrue(object, 'Ready'));
  await world.kubectl(['delete', 'secret', 'login']);
  await world.hosts.get(second)?.stop();
  const cases = [
    ['cls-poor', /the Secret default\/login cannot be read.*\. To delete it anyway, set spec\.forceDelete/],
    ['cls-lost', /192\.0\.2\.2 cannot be reached.*\. To delete it anyway, set spec\.forceDelete/],
  ] as const;
  for (const [name, says] of cases) {
    await world.kubectl(['delete', 'cluster', name, '--wait=false']);
    const kept = await world.until('cluster', name, (object) =>
      says.test(textAt(object, 'status', 'message') ?? ''),
    );
    expect(kept).toMatchObject({ status: { phase: 'Terminating' } });
    const patch = '{"spec":{"forceDelete":true}}';
    expect((await world.kubectl(['patch', 'cluster', name, '--type=merge', '-p', patch])).error).toBe('');
    await world.gone('cluster', name);
  }
  // One of its machines is left, so that its hook runs there; without credentials there is none.
  expect(world.noted()).toEqual([`${first} PreClusterDelete`]);
});
