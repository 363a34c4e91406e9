import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  conditionOf,
  isFalse,
  isTrue,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const [first, second, third, fourth] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] as const;
const all = [first, second, third, fourth].map((address) => ({ address, password: 'secret-1' }));

/** A template whose verdict is an annotation of a ConfigMap. */
const template = (name: string): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name, namespace: 'default' },
  spec: {
    args: [{ name: 'ClusterVersion' }, { name: 'NodeName' }],
    metrics: [
      {
        name: 'open',
        successCondition: 'result == "yes"',
        provider: {
          kubernetes: {
            function: 'get',
            target: { kind: 'ConfigMap', name: 'slo' },
            fields: [{ path: '{.data.open}' }],
          },
        },
      },
    ],
  },
});

const slo = (open: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'slo', namespace: 'default' },
  data: { open },
});

const upgrade = (world: ObjectsWorld, name: string, version: string): Promise<unknown> =>
  world.kubectl(['patch', 'cluster', name, '--type=merge', '-p', JSON.stringify({ spec: { version } })]);

test('an upgrade waits for a HookTemplate and continues when it is Successful; deletion runs its hooks', async () => {
  await using world = await openObjectsWorld(all);
  for (const type of ['PreUpgrade', 'PostClusterUpgrade', 'PreClusterDelete', 'PostClusterDelete'])
    world.noting(`hooks/${type}`);
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: {
      PreClusterUpgrade: { templateName: 'slo-ok' },
      PreUpgrade: '/tmp/hooks/PreUpgrade',
      HookPostClusterUpgrade: '/tmp/hooks/PostClusterUpgrade --fast',
      PreClusterDelete: '/tmp/hooks/PreClusterDelete',
      PostClusterDelete: '/tmp/hooks/PostClusterDelete',
    },
  };
  await world.apply(slo('no'), template('slo-ok'), clusterOf('cls-gated', [first, second], features));
  await world.until('cluster', 'cls-gated', (object) => isTrue(object, 'Ready'));
  await upgrade(world, 'cls-gated', '1.31.0');
  const gated = await world.until('cluster', 'cls-gated', (object) =>
    isFalse(object, 'EnsurePreClusterUpgradeHook'),
  );
  expect(textAt(conditionOf(gated, 'EnsurePreClusterUpgradeHook'), 'message')).toMatch(
    /HookRun \S+ is Failed/,
  );
  expect(world.noted()).toEqual([]);
  const runs = JSON.parse((await world.kubectl(['get', 'hookruns', '-o', 'json'])).out) as JsonObject;
  expect(listAt(runs, 'items')[0]).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'Cluster', name: 'cls-gated' }] },
    spec: { args: expect.arrayContaining([{ name: 'ClusterVersion', value: '1.31.0' }]) as unknown },
  });
  await world.apply(slo('yes'));
  await world.until('cluster', 'cls-gated', (object) => textAt(object, 'status', 'version') === '1.31.0');
  expect(world.noted()).toEqual([
    `${first} PreUpgrade`,
    `${second} PreUpgrade`,
    `${first} PostClusterUpgrade --fast`,
  ]);
  expect((await world.kubectl(['delete', 'cluster', 'cls-gated', '--timeout=300s'])).error).toBe('');
  expect(world.noted().slice(3)).toEqual([`${first} PreClusterDelete`, `${first} PostClusterDelete`]);
  expect(world.hosts.get(first)?.run('ls', '-A', '/tmp/hooks')).not.toContain('PreClusterDelete');
});

test('workers are upgraded in batches; a failed HookRun between them pauses until a user resumes', async () => {
  await using world = await openObjectsWorld(all);
  world.noting('hooks/PreUpgrade');
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreUpgrade: '/tmp/hooks/PreUpgrade' },
    upgrade: { batchSize: 2, betweenBatches: { templateName: 'slo-ok' } },
  };
  const workers = [second, third, fourth].map((address, at) =>
    machineOf(`mc-${at + 1}`, 'cls-batch', address),
  );
  await world.apply(slo('no'), template('slo-ok'), clusterOf('cls-batch', [first], features), ...workers);
  for (const name of ['mc-1', 'mc-2', 'mc-3'])
    await world.until('machine', name, (object) => isTrue(object, 'Ready'));
  await upgrade(world, 'cls-batch', '1.31.0');
  const paused = await world.until(
    'cluster',
    'cls-batch',
    (object) => listAt(object, 'status', 'pauseConditions').length > 0,
  );
  expect(paused).toMatchObject({
    spec: { paused: true },
    status: { phase: 'Upgrading', pauseConditions: [{ reason: 'PausedByStepBasedHook' }] },
  });
  expect(world.noted()[0]).toBe(`${first} PreUpgrade`);
  expect(world.noted().slice(1).toSorted()).toEqual(['mc-1 PreUpgrade', 'mc-2 PreUpgrade']);
  await world.kubectl(['patch', 'cluster', 'cls-batch', '--type=merge', '-p', '{"spec":{"paused":false}}']);
  await world.until('cluster', 'cls-batch', (object) => isTrue(object, 'Ready'));
  expect(world.noted().at(-1)).toBe('mc-3 PreUpgrade');
  expect(world.noted()).toHaveLength(4);
  for (const name of ['mc-1', 'mc-3'])
    await world.until('machine', name, (object) => textAt(object, 'status', 'version') === '1.31.0');
});

test('a look at what is done contacts no machine', async () => {
  await using world = await openObjectsWorld([{ address: first, password: 'secret-1' }]);
  world.noting('hooks/PreInstall');
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreInstall: '/tmp/hooks/PreInstall' },
  };
  await world.apply(clusterOf('cls-calm', [first], features));
  await world.until('cluster', 'cls-calm', (object) => isTrue(object, 'Ready'));
  await world.hosts.get(first)?.stop();
  await world.kill();
  await world.restart();
  await world.kubectl(['label', 'cluster', 'cls-calm', 'touched=yes']);
  await world.kubectl([
    'patch',
    'cluster',
    'cls-calm',
    '--type=merge',
    '-p',
    '{"spec":{"displayName":"calm"}}',
  ]);
  const seen = await world.until(
    'cluster',
    'cls-calm',
    (object) =>
      (object['status'] as { observedGeneration?: number }).observedGeneration ===
      (object['metadata'] as { generation?: number }).generation,
  );
  expect(isTrue(seen, 'Ready')).toBe(true);
  expect(world.noted()).toEqual([`${first} PreInstall`]);
});
