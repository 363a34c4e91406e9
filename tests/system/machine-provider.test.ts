import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  isTrue,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';
import { gameWorkload } from '../support/canary-terminal.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
const all = [first, second, third].map((address) => ({ address, password: 'secret-1' }));
const one = all.slice(0, 1);
const features = { files: [{ src: 'hooks', dst: '/tmp/hooks' }] };

/** A run with one question to machines. */
const run = (
  name: string,
  machine: JsonObject,
  metric: JsonObject = {},
  spec: JsonObject = {},
): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookRun',
  metadata: { name, namespace: 'default' },
  spec: {
    metrics: [
      {
        name: 'on machines',
        consecutiveErrorLimit: 0,
        ...metric,
        provider: { machine: { cluster: 'cls-asked', script: '/tmp/hooks/ask', ...machine } },
      },
    ],
    ...spec,
  },
});

const over: ReadonlySet<string> = new Set(['Successful', 'Failed', 'Error', 'Inconclusive']);
const ended = (world: ObjectsWorld, name: string): Promise<JsonObject> =>
  world.until('hookrun', name, (object) => over.has(textAt(object, 'status', 'phase') ?? ''));
const measured = (object: Json): Json | undefined =>
  listAt(listAt(object, 'status', 'metricResults')[0], 'measurements').at(-1);

/** A Cluster of one master and two workers, with a script for the provider. */
async function madeWorld(world: ObjectsWorld, script: string): Promise<void> {
  world.noting('hooks/ask', script);
  await world.apply(
    clusterOf('cls-asked', [first], features),
    machineOf('mc-1', 'cls-asked', second),
    machineOf('mc-2', 'cls-asked', third),
  );
  for (const name of ['mc-1', 'mc-2'])
    await world.until('machine', name, (object) => isTrue(object, 'Ready'));
}

test('a script is run on the selected machines, its arguments whole, and judged on every machine', async () => {
  await using world = await openObjectsWorld(all);
  await madeWorld(
    world,
    `[ "$1" != fail ] || { echo no disk left >&2; exit 7; }
    [ "$1" != sleep ] || sleep 60
    case $BOATHOOK_NODE in mc-1) echo 95 ;; mc-2) echo 10 ;; *) echo 50 ;; esac\n`,
  );
  const nasty = `a; touch ${world.own.folder}/hacked "$(id)" 'b'`;
  await world.apply(
    run('one', { args: ['{{ args.text }}', ''] }, {}, { args: [{ name: 'text', value: nasty }] }),
  );
  const one = await ended(world, 'one');
  expect(one).toMatchObject({ status: { phase: 'Successful' } });
  expect(measured(one)).toMatchObject({ value: '50' });
  expect(world.noted()).toEqual([`${first} ask ${nasty}`]);
  expect(existsSync(join(world.own.folder, 'hacked'))).toBe(false);

  const condition = { successCondition: 'asInt(result) < 90' };
  await world.apply(run('each', { role: 'worker', on: 'all' }, condition));
  const each = await ended(world, 'each');
  expect(each).toMatchObject({ status: { phase: 'Failed' } });
  expect(measured(each)).toMatchObject({ value: 'mc-1: 95\nmc-2: 10' });
  expect(textAt(measured(each), 'message')).toContain('mc-1');
  await world.apply(
    run('lenient', { role: 'worker', on: 'all' }, { successCondition: 'asInt(result) < 99' }),
  );
  expect(await ended(world, 'lenient')).toMatchObject({ status: { phase: 'Successful' } });

  await world.apply(run('failing', { args: ['fail'] }), run('slow', { args: ['sleep'], timeoutSeconds: 1 }));
  const failing = await ended(world, 'failing');
  expect(failing).toMatchObject({ status: { phase: 'Failed' } });
  expect(textAt(measured(failing), 'message')).toMatch(/^192\.0\.2\.1: .*exit code 7\nno disk left/);
  const slow = await ended(world, 'slow');
  expect(slow).toMatchObject({ status: { phase: 'Failed' } });
  expect(textAt(measured(slow), 'message')).toContain('took longer than 1 s');

  const wrong: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['none', { cluster: 'cls-none' }, /Cluster cls-none/],
    ['outside', { script: '/tmp/hooks/../../bin/true' }, /not delivered by spec\.features\.files/],
    ['missing', { script: '/tmp/hooks/no' }, /not delivered by spec\.features\.files/],
  ];
  await world.apply(...wrong.map(([name, machine]) => run(name, machine)));
  for (const [name, , why] of wrong) {
    const object = await ended(world, name);
    expect(object).toMatchObject({ status: { phase: 'Error' } });
    expect(textAt(measured(object), 'message')).toMatch(why);
  }
  await world.kubectl(['delete', 'machine', 'mc-1', 'mc-2', '--timeout=300s']);
  await world.apply(run('nobody', { role: 'worker' }));
  expect(textAt(measured(await ended(world, 'nobody')), 'message')).toContain(
    'no machine with the role worker',
  );
  const { out } = await world.kubectl(['get', 'hookruns,events', '-o', 'yaml']);
  expect(out).not.toContain('secret-1');
  expect(out).not.toContain(btoa('secret-1'));
});

test('a worker that has not joined is not used', async () => {
  await using world = await openObjectsWorld(all.slice(0, 2));
  world.noting('hooks/ask');
  await world.apply(
    clusterOf('cls-asked', [first], features),
    machineOf('mc-1', 'cls-asked', '192.0.2.9'),
    machineOf('mc-2', 'cls-asked', second),
  );
  await world.until('machine', 'mc-2', (object) => isTrue(object, 'Ready'));
  await world.apply(run('joined', { role: 'worker', on: 'all' }));
  expect(await ended(world, 'joined')).toMatchObject({ status: { phase: 'Successful' } });
  expect(world.noted()).toEqual(['mc-2 ask']);
});

test.for(['killed', 'stopped'] as const)('a controller that is %s finds the script it began', async (how) => {
  await using world = await openObjectsWorld(all);
  const go = join(world.own.folder, 'go');
  await madeWorld(world, `while [ ! -e ${go} ]; do sleep 0.1; done\necho done\n`);
  await world.apply(run('long', { role: 'worker', on: 'all', timeoutSeconds: 300 }));
  await world.untilNoted(/mc-1 ask/, 1);
  await world.kill(how === 'killed' ? 'SIGKILL' : 'SIGTERM');
  expect(world.hosts.get(second)?.test("pgrep -f '[h]ooks/ask'")).toBe(true);
  await world.restart();
  writeFileSync(go, '');
  expect(await ended(world, 'long')).toMatchObject({ status: { phase: 'Successful' } });
  expect(world.noted()).toEqual(['mc-1 ask', 'mc-2 ask']);
});

test('a run that is deleted ends its script; a Cluster that is worked on is waited for', async () => {
  await using world = await openObjectsWorld(all);
  const go = join(world.own.folder, 'go');
  world.noting('hooks/upgrade', `while [ ! -e ${go} ]; do sleep 0.1; done\n`);
  await madeWorld(world, 'sleep 100\n');
  await world.apply(run('deleted', {}));
  await world.untilNoted(/ask/, 1);
  await world.kubectl(['delete', 'hookrun', 'deleted']);
  await expect.poll(() => world.hosts.get(first)?.test("pgrep -f '[h]ooks/ask'")).toBe(false);

  world.noting('hooks/ask');
  const hooked = { ...features, hooks: { PreClusterUpgrade: '/tmp/hooks/upgrade' } };
  await world.apply(clusterOf('cls-asked', [first], hooked, { version: '1.31.0' }));
  await world.untilNoted(/upgrade/, 1);
  await world.apply(run('beside', { timeoutSeconds: 2 }));
  await world.until('hookrun', 'beside', (object) => textAt(object, 'status', 'phase') === 'Running');
  writeFileSync(go, '');
  expect(await ended(world, 'beside')).toMatchObject({ status: { phase: 'Successful' } });
  expect(world.noted().map((line) => line.split(' ')[1])).toEqual(['ask', 'upgrade', 'ask']);
});

test('a key that was never seen is recorded in the Cluster, and another one refused', async () => {
  await using world = await openObjectsWorld(all);
  world.noting('hooks/ask');
  await world.apply(clusterOf('cls-asked', [first], features, { insecureIgnoreHostKey: true }));
  await world.until('cluster', 'cls-asked', (object) => isTrue(object, 'Ready'));
  await world.kubectl([
    'patch',
    'cluster',
    'cls-asked',
    '--type=merge',
    '-p',
    '{"spec":{"insecureIgnoreHostKey":false}}',
  ]);
  await world.apply(run('seen', {}));
  expect(await ended(world, 'seen')).toMatchObject({ status: { phase: 'Successful' } });
  const host = world.hosts.get(first);
  expect(await world.get('cluster', 'cls-asked')).toMatchObject({
    status: { hostKeys: { [first]: host?.fingerprint } },
  });
  await host?.stop();
  host?.newHostKey();
  await host?.start();
  await world.apply(run('changed', {}));
  const changed = await ended(world, 'changed');
  expect(changed).toMatchObject({ status: { phase: 'Error' } });
  expect(textAt(measured(changed), 'message')).toMatch(/host key .*refused.*spec\.hostKeys/);
  expect(world.noted()).toEqual([`${first} ask`]);
});

test('a step of a canary and the deletion of a pod wait for a script on machines', async () => {
  await using world = await openObjectsWorld(all, { flags: ['--nodes', '1', '--profile', 'instant'] });
  const go = join(world.own.folder, 'go');
  await madeWorld(world, `[ -e ${go} ] || exit 1\n`);
  const metrics = listAt(run('', { args: ['{{ args.of }}'] }), 'spec', 'metrics');
  const hook = (of: string): JsonObject => ({ templateName: 'ask', args: [{ name: 'of', value: of }] });
  await world.apply(
    {
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind: 'HookTemplate',
      metadata: { name: 'ask', namespace: 'default' },
      spec: { args: [{ name: 'of' }], metrics },
    },
    gameWorkload('GameDeployment', 'game', {
      replicas: 2,
      updateStrategy: {
        type: 'InplaceUpdate',
        maxUnavailable: '100%',
        canary: { steps: [{ partition: 1 }, { hook: hook('step') }, { partition: 0 }] },
      },
    }),
  );
  const until = (status: JsonObject): Promise<JsonObject> =>
    world.until('gamedeployment', 'game', (object) =>
      Object.entries(status).every(([key, value]) => (object['status'] as JsonObject)?.[key] === value),
    );
  const patch = async (spec: JsonObject): Promise<void> => {
    const args = ['patch', 'gamedeployment', 'game', '--type=merge', '-p', JSON.stringify({ spec })];
    expect((await world.kubectl(args)).error).toBe('');
  };
  await until({ readyReplicas: 2 });
  const containers = [{ name: 'python', image: 'python:3.5' }];
  await patch({ template: { spec: { containers } } });
  const paused = await until({ phase: 'Paused', updatedReadyReplicas: 1 });
  expect(paused).toMatchObject({ status: { pauseConditions: [{ reason: 'PausedByStepBasedHook' }] } });
  await patch({ updateStrategy: { paused: false } });
  await until({ phase: 'Complete', updatedReadyReplicas: 2 });
  expect(world.noted()).toEqual([`${first} ask step`]);

  await patch({ replicas: 1, preDeleteUpdateStrategy: { hook: hook('pod') } });
  const held = await world.until(
    'gamedeployment',
    'game',
    (object) => listAt(object, 'status', 'preDeleteHookCondition').length > 0,
  );
  expect(held).toMatchObject({ status: { readyReplicas: 2 } });
  writeFileSync(go, '');
  await patch({ preDeleteUpdateStrategy: { retry: true } });
  await until({ replicas: 1 });
  expect(world.noted().at(-1)).toBe(`${first} ask pod`);
});

test("an operation of a Cluster waits for a script on that Cluster's own machines", async () => {
  await using world = await openObjectsWorld(one);
  for (const name of ['ask', 'PreUpgrade']) world.noting(`hooks/${name}`);
  const metrics = listAt(run('', {}), 'spec', 'metrics');
  const hooks = {
    PreClusterUpgrade: { templateName: 'ask' },
    PreUpgrade: '/tmp/hooks/PreUpgrade',
    PreClusterDelete: { templateName: 'ask' },
  };
  await world.apply(
    {
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind: 'HookTemplate',
      metadata: { name: 'ask', namespace: 'default' },
      spec: { metrics },
    },
    clusterOf('cls-asked', [first], { ...features, hooks }),
  );
  await world.until('cluster', 'cls-asked', (object) => isTrue(object, 'Ready'));
  await world.kubectl([
    'patch',
    'cluster',
    'cls-asked',
    '--type=merge',
    '-p',
    '{"spec":{"version":"1.31.0"}}',
  ]);
  await world.until('cluster', 'cls-asked', (object) => textAt(object, 'status', 'version') === '1.31.0');
  expect((await world.kubectl(['delete', 'cluster', 'cls-asked', '--timeout=300s'])).error).toBe('');
  expect(world.noted()).toEqual([`${first} ask`, `${first} PreUpgrade`, `${first} ask`]);
  expect(world.hosts.get(first)?.run('find', '/var/lib/boathook', '-name', 'hookrun-*')).toBe('');
});
