import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { everyFile } from '../support/cluster-world.ts';
import { conditionOf, isTrue, openObjectsWorld } from '../support/machine-objects-world.ts';

test('the first example, comments and all, by boathook cluster create; status and logs by its name', async () => {
  await using world = await openObjectsWorld([{ address: '192.0.2.21', password: '123456' }], {
    example: 'single-files',
  });
  const created = await world.boathook('cluster', 'create', '-f', 'cluster.yaml', '--installer', 'none');
  expect(created.error).toBe('');
  expect(created.out).toMatch(/^Cluster cls-[0-9a-f]{8} is created\n/);
  expect(created.out).toMatch(
    /EnsureCopyFiles: True\n(.*\n)*.*EnsurePreInstallHook: True\n(.*\n)*.*EnsurePostInstallHook: True\n(.*\n)*.*Ready: True\n$/,
  );
  const name = /cls-[0-9a-f]{8}/.exec(created.out)?.[0] ?? '';
  expect(world.hosts.get('192.0.2.21')?.run('ls', '/tmp/hooks')).toBe('post-install\npre-install\n');
  const status = await world.boathook('cluster', 'status', name);
  expect(status.out).toContain(`${name}: Running\n`);
  const logs = await world.boathook('cluster', 'logs', name, '--data-dir', world.dataDir);
  expect(logs.out).toMatch(/pre-install[\s\S]*pre node install\n|pre node install\n/);
  const again = await world.boathook('cluster', 'create', '-f', 'cluster.yaml', '--installer', 'none');
  expect(again.code).toBe(1);
  expect(again.error).toContain('already exists');
});

const pairs = 'node.alpha.kubernetes.io/test=hello location=xa';

test('the second example as an object, with real kubectl: folders, arguments, a worker that joins, deletion', async () => {
  await using world = await openObjectsWorld(
    ['192.0.2.9', '192.0.2.10'].map((address) => ({ address, password: 'Letmein123,.1' })),
    { example: 'folders' },
  );
  for (const path of [
    'pre/cluster-pre-install',
    'pre/pre-install',
    'post/post-install',
    'post/cluster-post-install',
  ])
    world.noting(`hooks/${path}`);
  const seed = JSON.parse(readFileSync(join(world.root, 'cluster.json'), 'utf8')) as {
    metadata: JsonObject;
    spec: JsonObject;
  };
  const cluster = {
    ...seed,
    metadata: { ...seed.metadata, name: 'cls-xa' },
    spec: { ...seed.spec, installer: 'none' },
  };
  const created = await world.kubectl(['create', '-f', '-'], JSON.stringify(cluster));
  expect(created.error).toBe('');
  const waited = await world.kubectl(['wait', '--for=condition=Ready', 'cluster/cls-xa', '--timeout=300s']);
  expect(waited.out + waited.error).toBe('cluster.platform.tkestack.io/cls-xa condition met\n');
  expect(world.noted()).toEqual([
    `192.0.2.9 cluster-pre-install ${pairs}`,
    '192.0.2.9 pre-install',
    '192.0.2.9 post-install',
    `192.0.2.9 cluster-post-install ${pairs}`,
  ]);
  const made = await world.get('cluster', 'cls-xa');
  for (const type of [
    'CopyFiles',
    'PreClusterInstallHook',
    'PreInstallHook',
    'PostInstallHook',
    'PostClusterInstallHook',
  ])
    expect(conditionOf(made, `Ensure${type}`), type).toMatchObject({ status: 'True' });
  const { out } = await world.kubectl(['get', 'clusters']);
  expect(out).toMatch(
    /^NAME +TYPE +VERSION +STATUS +REASON +AGE\ncls-xa +Baremetal +1\.18\.3 +Running +\d+s\n$/,
  );

  await world.apply({
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Machine',
    metadata: { name: 'mc-10' },
    spec: { clusterName: 'cls-xa', type: 'Baremetal', ip: '192.0.2.10', password: 'TGV0bWVpbjEyMywuMQ==' },
  });
  await world.until('machine', 'mc-10', (machine) => isTrue(machine, 'Ready'));
  expect(world.noted().slice(4)).toEqual(['mc-10 pre-install', 'mc-10 post-install']);

  await world.told(/ PreInstall has run on 192\.0\.2\.9\./);
  const described = await world.kubectl(['describe', 'cluster', 'cls-xa']);
  expect(described.out).toMatch(/Normal +HookSucceeded .* PreInstall has run on 192\.0\.2\.9\./);
  const removed = await world.kubectl(['delete', 'cluster', 'cls-xa', '--timeout=300s']);
  expect(removed.error).toBe('');
  await world.gone('machine', 'mc-10');
  for (const [path, content] of everyFile(join(world.dataDir, 'machines')))
    expect(content, path).not.toMatch(/TGV0bWVpbjEyMywuMQ|Letmein123/);
});
