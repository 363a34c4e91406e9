import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  machineOf,
  mergePatch,
  openObjectsWorld,
  untilReady,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const [first, second] = ['192.0.2.1', '192.0.2.2'] as const;
const hosts = [first, second].map((address) => ({ address, password: 'secret-1' }));
const features = { files: [{ src: 'hooks', dst: '/tmp/hooks' }], hooks: { PreInstall: '/tmp/hooks/pre' } };
const rbac = 'rbac.authorization.k8s.io';

/** Prints, and goes on when the file `go` is there. */
const waiting = (world: ObjectsWorld): string =>
  `#!/bin/sh\necho "begun on $BOATHOOK_NODE with secret-1"\necho\nwhile [ ! -e ${world.notes}.go ]; do sleep 0.1; done\nprintf 'go on\\nlast line'\n`;

const go = (world: ObjectsWorld): void => writeFileSync(`${world.notes}.go`, '');

const grants = (user: string, resource: string): readonly JsonObject[] => [
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: user },
    rules: [
      { apiGroups: ['platform.tkestack.io'], resources: ['clusters', 'machines', resource], verbs: ['get'] },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: user },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: user },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  },
];

/** A kubeconfig of the same cluster with a token, and no more. */
async function kubeconfigOf(world: ObjectsWorld, name: string, token: string): Promise<string> {
  const whole = await world.kubectl(['config', 'view', '--raw', '-o', 'json']);
  const cluster = listAt(JSON.parse(whole.out) as Json, 'clusters')[0] ?? null;
  const path = join(world.own.folder, `kubeconfig-${name}`);
  const context = { name: 'here', context: { cluster: textAt(cluster, 'name') ?? '', user: name } };
  const users = [{ name, user: { token } }];
  const config = { 'current-context': 'here', clusters: [cluster], users, contexts: [context] };
  writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }));
  return path;
}

test('outputs are followed while scripts run, and read afterwards, by those who may', async () => {
  await using world = await openObjectsWorld(hosts, { isDown: true });
  world.script('hooks/pre', waiting(world));
  const tokens = join(world.own.folder, 'tokens.csv');
  writeFileSync(tokens, 'token-reader,reader,1\ntoken-looker,looker,2\n');
  const flags = ['--files-root', world.root, '--nodes', '0', '--port', '0', '--data-dir', world.dataDir];
  await using up = world.follow(
    'up',
    ...flags,
    '--no-dashboard',
    '--authorization',
    'rbac',
    '--token-file',
    tokens,
  );
  await up.lineLike(/^ready in /);
  expect(await world.shell('boathook access | kubectl apply -f -')).toMatchObject({ code: 0 });
  await world.apply(...grants('reader', 'clusters/log'), ...grants('looker', 'clusters/status'));
  const reader = ['--kubeconfig', await kubeconfigOf(world, 'reader', 'token-reader')];
  const looker = ['--kubeconfig', await kubeconfigOf(world, 'looker', 'token-looker')];
  const stranger = ['--kubeconfig', await kubeconfigOf(world, 'stranger', 'token-wrong')];

  await world.apply(clusterOf('prod', [first], features), machineOf('worker', 'prod', second));
  await using following = world.follow('cluster', 'logs', 'prod', '--follow', ...reader);
  await following.lineLike(/^==> 192\.0\.2\.1 node-pre\/PreInstall attempt 1$/);
  expect(await following.line()).toBe('begun on 192.0.2.1 with ***');
  expect(await following.line()).toBe('');
  const live = await world.boathook('cluster', 'logs', 'prod', '--tail', '2');
  expect(live).toMatchObject({
    code: 0,
    out: expect.stringMatching(/attempt 1\nbegun on .*\n\n$/) as string,
  });
  go(world);
  expect(await following.line()).toBe('go on');
  expect(await following.line()).toBe('last line');
  expect(await following.ended).toEqual({ code: 0, signal: null });

  await untilReady(world, 'machine', 'worker');
  const read = async (...args: readonly string[]): Promise<string> => {
    const ended = await world.boathook('cluster', 'logs', ...args);
    expect(ended, args.join(' ')).toMatchObject({ code: 0, error: '' });
    return ended.out;
  };
  expect(await read('prod', '--tail', '1', ...reader)).toBe(
    '==> 192.0.2.1 node-pre/PreInstall attempt 1\nlast line\n',
  );
  expect(await read('worker', '--follow')).toBe(
    '==> worker node-pre/PreInstall attempt 1\nbegun on worker with ***\n\ngo on\nlast line\n',
  );
  const json = (await read('prod', '-o', 'json', '--node', first, '--step', 'PreInstall')).trim().split('\n');
  expect(json.map((line) => JSON.parse(line) as Json)).toEqual(
    ['begun on 192.0.2.1 with ***', '', 'go on', 'last line'].map((line) => ({
      type: 'output',
      operation: expect.stringContaining('-cluster-create-') as string,
      node: first,
      step: 'node-pre/PreInstall',
      attempt: 1,
      line,
    })),
  );
  const fails = async (code: number, ...args: readonly string[]): Promise<string> => {
    const ended = await world.boathook('cluster', 'logs', ...args);
    expect(ended, args.join(' ')).toMatchObject({ code, out: '' });
    return ended.error;
  };
  expect(await fails(1, 'prod', ...looker)).toMatch(
    /the output of Cluster prod cannot be read: .*User "looker" cannot get resource "clusters\/log".*Ask for a ClusterRole/,
  );
  expect(await fails(5, 'prod', ...stranger)).toContain('refused the login');
  expect(await fails(2, 'prod', '--node', 'nope')).toContain(`Valid values: ${first}`);
  expect(await fails(2, 'prod', '--step', 'nope')).toContain('Valid values: node-pre/PreInstall');
  expect(await fails(2, 'prod', '--tail', 'x')).toContain('--tail x is not a number of lines');
  expect(await fails(2, '--follow', '-f', 'hooks')).toContain('for the NAME of a Cluster or Machine');

  rmSync(join(world.dataDir, 'machines', 'prod', 'operations'), { recursive: true });
  expect(await fails(1, 'prod')).toContain('no output of Cluster prod is kept');

  const map = ['-n', 'boathook-system', 'configmap/boathook-logs'];
  const kept = await world.kubectl(['get', ...map, '-o', 'json']);
  const key = 'clusters.platform.tkestack.io';
  const endpoint = JSON.parse(textAt(JSON.parse(kept.out) as Json, 'data', key) ?? '') as JsonObject;
  const ca = textAt(JSON.parse(kept.out) as Json, 'data', key) ?? '';
  expect(ca).not.toContain('PRIVATE');
  const other = listAt(
    JSON.parse((await world.kubectl(['config', 'view', '--raw', '-o', 'json'])).out) as Json,
    'clusters',
  )[0];
  const foreign = Buffer.from(textAt(other ?? null, 'cluster', 'certificate-authority-data') ?? '', 'base64');
  const forged = { data: { [key]: JSON.stringify({ ...endpoint, ca: foreign.toString() }) } };
  expect(await world.kubectl(['patch', ...map, '--type=merge', '-p', JSON.stringify(forged)])).toMatchObject({
    code: 0,
  });
  expect(await fails(5, 'prod', ...reader)).toMatch(/cannot be reached: .*certificate/is);
  expect(up.errors()).not.toContain('token-reader');
});

test('a controller of its own: its rights are enough, a restart does not end a follower, its absence is explained', async () => {
  await using world = await openObjectsWorld(hosts, {
    flags: ['--authorization', 'rbac', '--controllers', 'none'],
  });
  world.script('hooks/pre', waiting(world));
  expect(await world.boathook('cluster', 'logs', 'prod')).toMatchObject({ code: 1 });
  expect(await world.shell('boathook access | kubectl apply -f -')).toMatchObject({ code: 0 });
  await world.apply(clusterOf('prod', [first], features));
  const unpublished = await world.boathook('cluster', 'logs', 'prod');
  expect(unpublished).toMatchObject({
    code: 5,
    error: expect.stringContaining(
      'no controller serves the logs of clusters.platform.tkestack.io',
    ) as string,
  });
  const token = await world.kubectl(['create', 'token', 'boathook-controller', '-n', 'boathook-system']);
  const account = ['--kubeconfig', await kubeconfigOf(world, 'account', token.out.trim())];
  const start = () =>
    world.follow(
      'controller',
      ...account,
      '--files-root',
      world.root,
      '--data-dir',
      join(world.dataDir, 'own'),
    );
  let controller = start();
  await controller.lineLike(/^running hookrun/);
  await controller.errorLike(/logs are served/);
  const nowhere = await world.boathook('cluster', 'logs', 'prod', '--follow', '--log-server', '127.0.0.1:1');
  expect(nowhere).toMatchObject({ code: 5, error: expect.stringContaining('cannot be reached') as string });
  const [, port = ''] = /https:\/\/127\.0\.0\.1:(\d+)/.exec(controller.errors()) ?? [];
  const forwarded = ['cluster', 'logs', 'prod', '--follow', '--tail', '5', '--log-server', port];
  await using direct = world.follow(...forwarded);
  await direct.lineLike(/^begun on/);
  await using patient = world.follow('cluster', 'logs', 'prod', '--follow');
  expect(await patient.lineLike(/^begun on/)).toBe('begun on 192.0.2.1 with ***');
  await controller.stop('SIGKILL');
  const away = await world.boathook('cluster', 'logs', 'prod');
  expect(away).toMatchObject({
    code: 5,
    error: expect.stringMatching(
      /the controller .*, which serves logs at https:\/\/127\.0\.0\.1:\d+, cannot be reached: .*--log-address/s,
    ) as string,
  });
  controller = start();
  await using _second = controller;
  await controller.errorLike(/logs are served/);
  go(world);
  expect(await patient.line()).toBe('');
  expect(await patient.line()).toBe('go on');
  expect(await patient.line()).toBe('last line');
  expect(await patient.ended).toEqual({ code: 0, signal: null });
  await mergePatch(world, 'cluster/prod', { spec: { paused: true } });
  expect(controller.errors()).not.toMatch(/forbidden|not accepted/i);
});
