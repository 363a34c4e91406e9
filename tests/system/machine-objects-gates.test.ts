import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
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
const one = all.slice(0, 1);

const types = ['PreInstall', 'PostInstall', 'PreUpgrade', 'PostUpgrade'].flatMap((type) => [
  type,
  type.replace(/^(Pre|Post)/, '$1Cluster'),
]);
const ten = [...types, 'PreClusterDelete', 'PostClusterDelete'];

/** A template that looks at a ConfigMap, whose `open` may be yes, no or anything. */
const template = (name: string, metric: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name, namespace: 'default' },
  spec: {
    metrics: [
      {
        name: 'open',
        successCondition: 'result == "yes"',
        failureCondition: 'result == "no"',
        provider: {
          kubernetes: {
            function: 'get',
            target: { kind: 'ConfigMap', name: 'slo' },
            fields: [{ path: '{.data.open}' }],
          },
        },
        ...metric,
      },
    ],
    ...spec,
  },
});
/** Asks for ever. */
const endless = template('endless', { interval: '1s', failureLimit: 100_000, count: 200_000 });

const slo = (open: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'slo', namespace: 'default' },
  data: { open },
});

async function patch(world: ObjectsWorld, name: string, spec: JsonObject): Promise<void> {
  const text = JSON.stringify({ spec });
  expect((await world.kubectl(['patch', 'cluster', name, '--type=merge', '-p', text])).error).toBe('');
}

async function runs(world: ObjectsWorld): Promise<readonly JsonObject[]> {
  const { out } = await world.kubectl([
    'get',
    'hookruns',
    '-o',
    'json',
    '--sort-by=.metadata.creationTimestamp',
  ]);
  return listAt(JSON.parse(out) as Json, 'items') as readonly JsonObject[];
}
const nameIn = (object: Json | undefined): string => textAt(object, 'metadata', 'name') ?? '';
const version = (object: JsonObject): string | undefined => textAt(object, 'status', 'version');

test('a HookTemplate may stand for each of the ten hooks; verdicts are waited for, not polled', async () => {
  await using world = await openObjectsWorld(one);
  const name = `cls-${'long-'.repeat(9)}name`;
  const hooks = Object.fromEntries(ten.map((type) => [type, { templateName: 'slo-ok' }]));
  await world.apply(slo('yes'), template('slo-ok'), clusterOf(name, [first], { hooks }));
  await world.until('cluster', name, (object) => isTrue(object, 'Ready'));
  await patch(world, name, { version: '1.31.0' });
  await world.until('cluster', name, (object) => version(object) === '1.31.0' && isTrue(object, 'Ready'));
  const done = await world.get('cluster', name);
  for (const type of types) expect(isTrue(done, `Ensure${type}Hook`)).toBe(true);
  const asked = await runs(world);
  const points = asked.map((run) => textAt(run, 'metadata', 'labels', 'boathook.dev/hook-point') ?? '');
  expect(points.toSorted()).toEqual(types.toSorted());
  for (const run of asked) {
    expect(nameIn(run).length).toBeLessThanOrEqual(63);
    expect(run).toMatchObject({
      metadata: {
        labels: { 'boathook.dev/workload-kind': 'Cluster', 'boathook.dev/workload': name },
        ownerReferences: [{ kind: 'Cluster', name, controller: true }],
      },
      status: { phase: 'Successful' },
    });
  }
  expect((await world.kubectl(['delete', 'cluster', name, '--timeout=300s'])).error).toBe('');
  await world.told(
    ...ten.flatMap((type) => [
      new RegExp(` ${type} waits for HookRun `),
      new RegExp(` ${type} has passed \\(HookRun `),
    ]),
  );
  await expect.poll(() => runs(world)).toEqual([]);
});

test('every verdict but Successful blocks; a deleted run is created again; retry runs at once', async () => {
  await using world = await openObjectsWorld(one);
  const hooks = { PreClusterUpgrade: { templateName: 'slo-ok' } };
  await world.apply(slo('perhaps'), clusterOf('cls-held', [first], { hooks }));
  await world.until('cluster', 'cls-held', (object) => isTrue(object, 'Ready'));
  await patch(world, 'cls-held', { version: '1.31.0' });
  const condition = 'EnsurePreClusterUpgradeHook';
  const says = (pattern: RegExp) => (object: JsonObject) =>
    isFalse(object, condition) && pattern.test(textAt(conditionOf(object, condition), 'message') ?? '');
  await world.until(
    'cluster',
    'cls-held',
    says(/refers to a HookTemplate that does not exist: create slo-ok in namespace default/),
  );
  await world.apply(template('slo-ok', { consecutiveErrorLimit: 0 }));
  await world.until('cluster', 'cls-held', says(/HookRun \S+ is Inconclusive/));
  await world.apply(slo('no'));
  await world.until('cluster', 'cls-held', says(/HookRun \S+ is Failed/));
  await world.kubectl(['delete', 'configmap', 'slo']);
  await world.until('cluster', 'cls-held', says(/HookRun \S+ is Error/));

  await world.apply(slo('no'), { ...endless, metadata: { name: 'slo-ok', namespace: 'default' } });
  await world.boathook('cluster', 'retry', 'cls-held');
  const waiting = await world.until('cluster', 'cls-held', (object) =>
    (textAt(conditionOf(object, 'Ready'), 'message') ?? '').includes('which is Running'),
  );
  const name = textAt(listAt(waiting, 'status', 'operation', 'gates')[0], 'run') ?? '';
  const before = await world.get('hookrun', name);
  await world.kubectl(['delete', 'hookrun', name]);
  const again = await world.until(
    'hookrun',
    name,
    (object) => textAt(object, 'metadata', 'uid') !== textAt(before, 'metadata', 'uid'),
  );
  expect(again).toMatchObject({ metadata: { ownerReferences: [{ name: 'cls-held' }] } });
  expect((await runs(world)).length).toBeLessThanOrEqual(4);

  await world.apply(slo('yes'), template('other'));
  await patch(world, 'cls-held', { features: { hooks: { PreClusterUpgrade: { templateName: 'other' } } } });
  await world.until('cluster', 'cls-held', (object) => version(object) === '1.31.0');
  expect((await runs(world)).map(nameIn)).not.toContain(name);
});

test('killed as soon as its HookRun exists, it creates no second one; deleted while it waits, it is removed', async () => {
  await using world = await openObjectsWorld(one);
  world.noting('hooks/PreClusterDelete');
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreUpgrade: { templateName: 'endless' }, PreClusterDelete: '/tmp/hooks/PreClusterDelete' },
  };
  await world.apply(slo('no'), endless, clusterOf('cls-gone', [first], features));
  await world.until('cluster', 'cls-gone', (object) => isTrue(object, 'Ready'));
  await patch(world, 'cls-gone', { version: '1.31.0' });
  while ((await runs(world)).length === 0);
  await world.kill();
  await world.restart();
  await world.until('cluster', 'cls-gone', (object) =>
    (textAt(conditionOf(object, 'Ready'), 'message') ?? '').includes('which is Running'),
  );
  expect(await runs(world)).toHaveLength(1);
  expect((await world.kubectl(['delete', 'cluster', 'cls-gone', '--timeout=300s'])).error).toBe('');
  expect(world.noted()).toEqual([`${first} PreClusterDelete`]);
});

test('paused between batches: the run may be deleted, another version may come, and each failed run pauses again', async () => {
  await using world = await openObjectsWorld(all);
  world.noting('hooks/PreUpgrade');
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreUpgrade: '/tmp/hooks/PreUpgrade' },
    upgrade: { betweenBatches: { templateName: 'slo-ok' } },
  };
  const workers = [second, third, fourth].map((address, at) =>
    machineOf(`mc-${at + 1}`, 'cls-wait', address),
  );
  const short = template('slo-ok', {}, { ttlAfterFinished: '1s' });
  await world.apply(slo('no'), short, clusterOf('cls-wait', [first], features), ...workers);
  for (const name of ['mc-1', 'mc-2', 'mc-3'])
    await world.until('machine', name, (object) => isTrue(object, 'Ready'));
  const paused = (object: JsonObject): boolean =>
    textAt(listAt(object, 'status', 'pauseConditions')[0], 'reason') === 'PausedByStepBasedHook' &&
    (object['spec'] as { paused?: boolean }).paused === true;
  await patch(world, 'cls-wait', { version: '1.31.0' });
  await world.until('cluster', 'cls-wait', paused);
  await expect.poll(() => runs(world)).toEqual([]);
  expect(world.noted()).toEqual([`${first} PreUpgrade`, 'mc-1 PreUpgrade']);
  await world.kill();
  await world.restart();
  await patch(world, 'cls-wait', { paused: false });
  await world.untilNoted(/mc-2 PreUpgrade/, 1);
  await world.until('cluster', 'cls-wait', paused);
  expect(world.noted()).toEqual([`${first} PreUpgrade`, 'mc-1 PreUpgrade', 'mc-2 PreUpgrade']);

  await patch(world, 'cls-wait', { version: '1.32.0', paused: false });
  const again = await world.until(
    'cluster',
    'cls-wait',
    (object) => paused(object) && textAt(object, 'status', 'operation', 'version') === '1.32.0',
  );
  expect(version(again)).toBe('1.30.1');
  expect(world.noted().slice(3)).toEqual([`${first} PreUpgrade`, 'mc-1 PreUpgrade']);
  await world.apply(slo('yes'));
  await patch(world, 'cls-wait', { paused: false });
  await world.until('cluster', 'cls-wait', (object) => isTrue(object, 'Ready'));
  expect(world.noted().slice(5)).toEqual(['mc-2 PreUpgrade', 'mc-3 PreUpgrade']);
  expect(await world.get('cluster', 'cls-wait')).not.toHaveProperty('status.pauseConditions');
});

test('an upgrade waits for a question to Prometheus', async () => {
  await using world = await openObjectsWorld(one);
  world.noting('hooks/PreUpgrade');
  const metrics = join(world.root, 'exporter', 'metrics');
  world.script('exporter/metrics', 'errors_ratio 0.5\n');
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: [{ job_name: 'exporter', static_configs: [{ targets: ['127.0.0.1:9101'] }] }],
  };
  writeFileSync(join(world.root, 'prometheus.yml'), JSON.stringify(config));
  const started = await world.shell(`
    python3 -m http.server 9101 --bind 127.0.0.1 --directory exporter >/dev/null 2>&1 & echo $!
    prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address=127.0.0.1:9090 >/dev/null 2>&1 & echo $!`);
  const pids = started.out.trim().split('\n').map(Number);
  try {
    const question = template('slo-ok', {
      successCondition: 'result[0] < 0.1',
      failureCondition: 'result[0] >= 0.1',
      noData: 'Wait',
      provider: {
        prometheus: { address: 'http://127.0.0.1:9090', query: 'errors_ratio{job="{{ args.service }}"}' },
      },
    });
    const spec = { ...(question['spec'] as JsonObject), args: [{ name: 'service' }] };
    const args = [{ name: 'service', value: 'exporter' }];
    const features = {
      files: [{ src: 'hooks', dst: '/tmp/hooks' }],
      hooks: { PreClusterUpgrade: { templateName: 'slo-ok', args }, PreUpgrade: '/tmp/hooks/PreUpgrade' },
    };
    await world.apply({ ...question, spec }, clusterOf('cls-slo', [first], features));
    await world.until('cluster', 'cls-slo', (object) => isTrue(object, 'Ready'));
    await patch(world, 'cls-slo', { version: '1.31.0' });
    const held = await world.until('cluster', 'cls-slo', (object) =>
      isFalse(object, 'EnsurePreClusterUpgradeHook'),
    );
    expect(textAt(conditionOf(held, 'EnsurePreClusterUpgradeHook'), 'message')).toContain('is Failed');
    expect(world.noted()).toEqual([]);
    writeFileSync(metrics, 'errors_ratio 0.01\n');
    await world.until('cluster', 'cls-slo', (object) => version(object) === '1.31.0');
    expect(world.noted()).toEqual([`${first} PreUpgrade`]);
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }
});

test('a script that fails in a batch lets the others of it end, and blocks the next batch until it is fixed', async () => {
  await using world = await openObjectsWorld(all);
  world.noting('hooks/PreUpgrade', `[ "$BOATHOOK_NODE" != mc-2 ] || exit 7\n`);
  world.noting('hooks/PostUpgrade');
  world.noting('hooks/between');
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreUpgrade: '/tmp/hooks/PreUpgrade', PostUpgrade: '/tmp/hooks/PostUpgrade' },
    upgrade: { batchSize: 2, betweenBatches: '/tmp/hooks/between' },
  };
  const workers = [second, third, fourth].map((address, at) =>
    machineOf(`mc-${at + 1}`, 'cls-fail', address),
  );
  await world.apply(clusterOf('cls-fail', [first], features), ...workers);
  for (const name of ['mc-1', 'mc-2', 'mc-3'])
    await world.until('machine', name, (object) => isTrue(object, 'Ready'));
  await patch(world, 'cls-fail', { version: '1.31.0' });
  const held = await world.until('cluster', 'cls-fail', (object) => isFalse(object, 'EnsurePreUpgradeHook'));
  expect(textAt(conditionOf(held, 'EnsurePreUpgradeHook'), 'message')).toMatch(/^mc-2: PreUpgrade .* 7/);
  expect(world.noted().slice(0, 2)).toEqual([`${first} PreUpgrade`, `${first} PostUpgrade`]);
  expect(world.noted().join()).not.toMatch(/mc-3|between/);
  world.noting('hooks/PreUpgrade');
  await world.boathook('cluster', 'retry', 'cls-fail');
  await world.until('cluster', 'cls-fail', (object) => isTrue(object, 'Ready'));
  const of = (node: string): readonly string[] => world.noted().filter((line) => line.startsWith(node));
  expect(of('mc-1')).toEqual(['mc-1 PreUpgrade', 'mc-1 PostUpgrade']);
  expect(of('mc-2').slice(-2)).toEqual(['mc-2 PreUpgrade', 'mc-2 PostUpgrade']);
  expect(world.noted().slice(-3)).toEqual([`${first} between`, 'mc-3 PreUpgrade', 'mc-3 PostUpgrade']);
});
