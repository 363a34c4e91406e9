import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, listAt, textAt, type JsonObject } from '#base/json.ts';
import { annotationsOf, nameOf } from '#kube/object.ts';
import { startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import {
  canaryTerminal,
  gameWorkload,
  hookTemplate,
  imageOf,
  imagePath,
  restartsOf,
  startHookService,
  type CanaryTerminal,
} from '../support/canary-terminal.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { followProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';
import { startPrometheus } from '../support/prometheus.ts';

const gd = 'gamedeployment';
const newest = (await findKubectls()).at(-1);
let boathook: Boathook;

beforeAll(async () => {
  boathook = await startBoathook({ flags: [...wholeCluster, '--profile', 'instant'] });
});
afterAll(async () => {
  await boathook?.[Symbol.asyncDispose]();
});

/** A namespace of its own for each test. */
async function open(namespace: string): Promise<CanaryTerminal> {
  if (newest === undefined) throw new Error('there is no kubectl on this machine');
  const terminal = openTerminal(newest, boathook, namespace);
  await terminal.run(['create', 'namespace', namespace]);
  return canaryTerminal(terminal);
}

const make = (name: string, spec: JsonObject): JsonObject => gameWorkload('GameDeployment', name, spec);
const web = (url: string, metric: JsonObject): JsonObject => ({
  ...metric,
  provider: { web: { url, jsonPath: '{$.age}' } },
});

test("the seed's walk, with its files, its server and shorter waits (A1)", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-canary-'));
  await using server = followProgram('sh', [
    join(root, 'scripts/with-node.sh'),
    'examples/canary/server.ts',
    '0',
  ]);
  try {
    const url = /http:\S+/.exec(await server.line())?.[0] ?? '';
    const shorter = (file: string): string => {
      const text = readProjectFile(`examples/canary/${file}`)
        .replace('http://127.0.0.1:9091', url)
        .replace('duration: 60', 'duration: 3')
        .replace('gracePeriodSeconds: 30', 'gracePeriodSeconds: 2');
      writeFileSync(join(folder, file), text);
      return join(folder, file);
    };
    const person = await open('seed');
    const { terminal } = person;
    const name = 'test-gamedeployment';

    expect(await terminal.run(['apply', '-f', shorter('hooktemplate.yaml')])).toBe(
      'hooktemplate.tkex.tencent.com/test created\n',
    );
    expect(await terminal.run(['apply', '-f', shorter('gamedeployment.yaml')])).toBe(
      `gamedeployment.tkex.tencent.com/${name} created\n`,
    );
    await person.untilRow(gd, name, '4 4 4 4 4');
    const columns = (await terminal.run(['get', gd])).split('\n')[0];
    expect(columns?.trim()).toMatch(
      /^NAME +DESIRED +UPDATED +UPDATED_READY +READY +TOTAL +AGE +PHASE +STEP +REASON$/,
    );
    const stable = textAt(await person.get(gd, name), 'status', 'updateRevision') ?? '';

    expect(await person.replace(gd, name, imagePath, 'python:3.5')).toBe(
      `gamedeployment.tkex.tencent.com/${name} patched\n`,
    );
    const first = await person.untilStatus(gd, name, {
      currentStepIndex: 1,
      pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }],
    });
    expect(await person.row(gd, name)).toBe('4 1 1 4 4');
    expect(at(first, 'spec', 'updateStrategy', 'paused')).toBe(true);
    expect(textAt(first, 'status', 'canary', 'revision')).toBe(stable);
    const revision = textAt(first, 'status', 'updateRevision') ?? '';
    expect(revision).not.toBe(stable);

    const inPause = person.untilStatus(gd, name, {
      currentStepIndex: 3,
      pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }],
    });
    await person.replace(gd, name, '/spec/updateStrategy/paused', false);
    await inPause;
    expect(await person.row(gd, name)).toBe('4 2 2 4 4');

    const third = await person.untilStatus(gd, name, {
      pauseConditions: [{ reason: 'PausedByStepBasedHook' }],
    });
    const run = `${revision}-4-test`;
    expect(third['status']).toMatchObject({
      currentStepIndex: 4,
      canary: { currentStepHookRun: run, revision: stable },
    });
    expect(await terminal.run(['get', 'hookrun'])).toMatch(
      new RegExp(`^NAME +PHASE +AGE *\n${run} +Failed +\\S+ *\n$`),
    );
    expect(await person.get('hookrun', run)).toMatchObject({
      status: {
        phase: 'Failed',
        metricResults: [
          { name: 'webtest', phase: 'Failed', count: 1, failed: 1, measurements: [{ value: '45' }] },
        ],
      },
    });
    expect(await terminal.run(['describe', gd, name])).toMatch(/HookRun \S+-4-test is Failed/);

    await using rows = await person.rows(gd, name);
    await person.replace(gd, name, '/spec/updateStrategy/paused', false);
    await rows.until('4 4 2 2 4');
    await rows.until('4 4 4 4 4');
    const pods = await person.list('pods');
    expect(pods.map(imageOf)).toEqual(Array(4).fill('python:3.5'));
    expect(pods.map(restartsOf)).toEqual([1, 1, 1, 1]);
    const last = await person.get(gd, name);
    expect(last['status']).toMatchObject({ currentStepIndex: 5, canary: { revision }, phase: 'Complete' });

    await terminal.run(['delete', '-f', join(folder, 'gamedeployment.yaml'), '--wait']);
    await expect.poll(async () => (await person.list('pods')).length).toBe(0);
    await person.untilRuns([]);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a bad hook and back: the old revision by its old name (A1.5b), and a good one goes through (A2)', async () => {
  await using service = await startHookService(45);
  const person = await open('back');
  await person.apply(
    hookTemplate('test', web(service.url, { successCondition: 'asInt(result) < 30' })),
    make('game', {
      replicas: 3,
      updateStrategy: {
        type: 'InplaceUpdate',
        canary: { steps: [{ partition: 2 }, { hook: { templateName: 'test' } }] },
      },
    }),
  );
  await person.untilRow(gd, 'game', '3 3 3 3 3');
  const stable = textAt(await person.get(gd, 'game'), 'status', 'updateRevision') ?? '';
  await person.replace(gd, 'game', imagePath, 'python:3.5');
  // A release whose hook failed does not go on by itself: both waits end.
  await person.terminal.run(['wait', gd, 'game', '--for=condition=Progressing=False', '--timeout=300s']);
  await person.terminal.run(['wait', gd, 'game', '--for=condition=Paused', '--timeout=300s']);
  const wide = (await person.terminal.run(['get', gd, 'game', '-o', 'wide'])).split('\n');
  expect(wide[0]).toMatch(/ AGE +PHASE +STEP +REASON +IMAGES +MESSAGE$/);
  expect(wide[1]).toMatch(/ Paused +2\/2 +PausedByStepBasedHook +python:3\.5 +Step 2\/2: HookRun /);
  await person.untilRuns([/-1-test Failed$/]);
  expect(await person.row(gd, 'game')).toBe('3 1 1 3 3');

  await person.replace(gd, 'game', imagePath, 'python:latest');
  await person.untilStatus(gd, 'game', {
    updateRevision: stable,
    updatedReadyReplicas: 3,
    phase: 'Complete',
  });
  expect((await person.get(gd, 'game'))['spec']).toMatchObject({ updateStrategy: { paused: false } });
  // The verdict stays for people to look at.
  await person.untilRuns([/-1-test Failed$/]);

  service.age = 25;
  await person.replace(gd, 'game', imagePath, 'python:3.6');
  await person.untilStatus(gd, 'game', { currentStepIndex: 2, updatedReadyReplicas: 3, phase: 'Complete' });
  const runs = await person.untilRuns([/-1-test (Failed|Successful)$/, /-1-test (Failed|Successful)$/]);
  expect(new Set(runs.map((each) => each.split(' ')[1]))).toEqual(new Set(['Failed', 'Successful']));
});

test('a rolling update to a partition, and on (A6)', async () => {
  const person = await open('rolling');
  await person.apply(
    make('game', {
      replicas: 8,
      updateStrategy: { type: 'RollingUpdate', partition: 3, maxUnavailable: 2, maxSurge: 2 },
    }),
  );
  await person.untilRow(gd, 'game', '8 8 8 8 8');
  const before = new Set((await person.list('pods')).map(nameOf));
  await person.replace(gd, 'game', imagePath, 'python:3.5');
  await person.untilStatus(gd, 'game', { phase: 'Complete', updatedReplicas: 5 });
  expect(await person.row(gd, 'game')).toBe('8 5 5 8 8');
  await expect.poll(async () => (await person.list('pods')).length).toBe(8);
  expect((await person.list('pods')).filter((pod) => before.has(nameOf(pod)))).toHaveLength(3);
  await person.replace(gd, 'game', '/spec/updateStrategy/partition', 0);
  await person.untilRow(gd, 'game', '8 8 8 8 8');
});

test('an update in place to a partition: names stay, five restarts (A7)', async () => {
  const person = await open('inplace');
  await person.apply(
    make('game', {
      replicas: 8,
      updateStrategy: {
        type: 'InplaceUpdate',
        partition: 3,
        maxUnavailable: 2,
        inPlaceUpdateStrategy: { gracePeriodSeconds: 1 },
      },
    }),
  );
  await person.untilRow(gd, 'game', '8 8 8 8 8');
  const before = (await person.list('pods')).map(nameOf);
  await person.replace(gd, 'game', imagePath, 'python:3.5');
  await person.untilStatus(gd, 'game', { phase: 'Complete', updatedReplicas: 5 });
  expect(await person.row(gd, 'game')).toBe('8 5 5 8 8');
  const pods = await person.list('pods');
  expect(pods.map(nameOf)).toEqual(before);
  expect(pods.map(restartsOf).toSorted((left, right) => left - right)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
});

test('hot patches change the image and restart nothing (A8)', async () => {
  const person = await open('hot');
  await person.apply(
    make('game', {
      replicas: 4,
      updateStrategy: { type: 'HotPatchUpdate', partition: 1, hotPatchStrategy: { force: true } },
    }),
  );
  await person.untilRow(gd, 'game', '4 4 4 4 4');
  await person.replace(gd, 'game', imagePath, 'python:3.5');
  await person.untilRow(gd, 'game', '4 3 3 4 4');
  const patched = (await person.list('pods')).filter((pod) => imageOf(pod) === 'python:3.5');
  expect(patched).toHaveLength(3);
  expect(patched.every((pod) => annotationsOf(pod)['hotpatch-update-state'] !== undefined)).toBe(true);
  await expect
    .poll(async () =>
      (await person.terminal.run(['describe', gd, 'game'])).match(/SuccessfulUpdatePodHotPatch/g),
    )
    .toHaveLength(3);
});

test('a pre-delete hook on scaling down and on updates in place (A9, A10)', async () => {
  await using service = await startHookService(45);
  const person = await open('predelete');
  await person.apply(
    hookTemplate(
      'ask',
      web(service.url, { count: 3, interval: '1s', failureLimit: 2, successCondition: 'asInt(result) > 30' }),
    ),
    make('game', {
      replicas: 6,
      minReadySeconds: 1,
      preDeleteUpdateStrategy: { hook: { templateName: 'ask' } },
      updateStrategy: { type: 'InplaceUpdate', partition: 2, maxUnavailable: 2 },
    }),
  );
  await person.untilRow(gd, 'game', '6 6 6 6 6');
  service.hold();
  expect(await person.terminal.run(['scale', '--replicas=5', `${gd}/game`])).toBe(
    'gamedeployment.tkex.tencent.com/game scaled\n',
  );
  await person.untilRuns([/^predelete-game-\S+-ask (Running)?$/]);
  expect(await person.row(gd, 'game')).toBe('5 6 6 6 6');
  const marked = (await person.list('pods')).filter(
    (pod) => annotationsOf(pod)['io.tencent.bcs.dev/game-pod-deleting'] === 'true',
  );
  expect(marked).toHaveLength(1);
  service.release();
  await person.untilRow(gd, 'game', '5 5 5 5 5');
  await person.untilRuns([]);

  service.hold();
  await person.replace(gd, 'game', imagePath, 'python:3.5');
  await person.untilRuns([/^predelete-/, /^predelete-/]);
  expect(await person.row(gd, 'game')).toBe('5 0 0 5 5');
  await using rows = await person.rows(gd, 'game');
  service.release();
  await rows.until('5 2 2 5 5');
  await rows.until('5 3 3 5 5');
  await person.untilRuns([]);
  const pods = await person.list('pods');
  expect(pods.map(restartsOf).toSorted((left, right) => left - right)).toEqual([0, 0, 1, 1, 1]);
  expect(
    pods.filter((pod) => annotationsOf(pod)['io.tencent.bcs.dev/game-pod-deleting'] !== undefined),
  ).toEqual([]);
});

test('a pre-delete hook that fails, and is asked again (A11)', async () => {
  await using service = await startHookService(45);
  const person = await open('retry');
  await person.apply(
    hookTemplate(
      'ask',
      web(service.url, { count: 3, interval: '1s', failureLimit: 2, successCondition: 'asInt(result) < 30' }),
    ),
    make('game', { replicas: 3, preDeleteUpdateStrategy: { hook: { templateName: 'ask' } } }),
  );
  await person.untilRow(gd, 'game', '3 3 3 3 3');
  await person.terminal.run(['scale', '--replicas=2', `${gd}/game`]);
  const held = await person.untilStatus(gd, 'game', { preDeleteHookCondition: [{ phase: 'Failed' }] });
  expect(await person.row(gd, 'game')).toBe('2 3 3 3 3');
  expect(service.asked).toHaveLength(3);
  expect(textAt(held, 'status', 'message')).toContain('Set retry of the strategy to true');
  const [before] = listAt(held, 'status', 'preDeleteHookCondition');

  service.age = 25;
  service.hold();
  await person.replace(gd, 'game', '/spec/preDeleteUpdateStrategy/retry', true);
  await expect
    .poll(async () => at(await person.get(gd, 'game'), 'spec', 'preDeleteUpdateStrategy', 'retry'))
    .toBe(false);
  const again = await person.untilStatus(gd, 'game', {
    preDeleteHookCondition: [{ podName: textAt(before, 'podName') ?? '', phase: 'Running' }],
  });
  expect(listAt(again, 'status', 'preDeleteHookCondition')[0]).not.toEqual(before);
  service.release();
  await person.untilRow(gd, 'game', '2 2 2 2 2');
  await person.untilRuns([]);
});

test('what is known of a pod reaches its hook (A12)', async () => {
  await using service = await startHookService(45);
  const person = await open('args');
  const url = `${service.url}/{{ args.service-name }}/{{ args.PodNamespace }}/{{ args.PodName }}/{{ args.PodIP }}`;
  await person.apply(
    hookTemplate('ask', web(url, { successCondition: 'asInt(result) > 30', count: 2, interval: '1s' }), {
      args: [{ name: 'PodIP' }, { name: 'PodName' }, { name: 'PodNamespace' }, { name: 'service-name' }],
    }),
    make('game', {
      replicas: 4,
      preDeleteUpdateStrategy: {
        hook: { templateName: 'ask', args: [{ name: 'service-name', value: 'lobby' }] },
      },
    }),
  );
  await person.untilRow(gd, 'game', '4 4 4 4 4');
  const pods = await person.list('pods');
  service.hold();
  await person.terminal.run(['scale', '--replicas=2', `${gd}/game`]);
  await person.untilRuns([/^predelete-/, /^predelete-/]);
  for (const run of await person.list('hookrun')) {
    expect(listAt(run, 'spec', 'args').slice(0, 4)).toMatchObject([
      { name: 'PodIP', value: expect.stringMatching(/^10\./) as string },
      { name: 'PodName' },
      { name: 'PodNamespace', value: 'args' },
      { name: 'service-name', value: 'lobby' },
    ]);
    expect(textAt(listAt(run, 'spec', 'metrics')[0], 'provider', 'web', 'url')).toBe(url);
  }
  service.release();
  await person.untilRow(gd, 'game', '2 2 2 2 2');
  await expect.poll(async () => (await person.list('pods')).length).toBe(2);
  const left = new Set((await person.list('pods')).map(nameOf));
  const gone = pods.filter((pod) => !left.has(nameOf(pod)));
  const paths = gone.map((pod) => `/lobby/args/${nameOf(pod)}/${textAt(pod, 'status', 'podIP') ?? ''}`);
  expect([...new Set(service.asked)].sort()).toEqual(paths.sort());
});

test('a canary is held by what Prometheus knows, and released by it', async () => {
  await using prometheus = await startPrometheus(
    '# TYPE errors gauge\nerrors{game="bad"} 7\nerrors{game="good"} 0\n',
  );
  const person = await open('metrics');
  const query = 'sum(errors{game="{{ args.game }}"})';
  await person.apply(
    hookTemplate(
      'errors',
      { successCondition: 'result[0] < 1', provider: { prometheus: { address: prometheus.address, query } } },
      { args: [{ name: 'game' }] },
    ),
    ...['bad', 'good'].map((name) =>
      make(name, {
        replicas: 2,
        updateStrategy: {
          canary: {
            steps: [
              { partition: 1 },
              { hook: { templateName: 'errors', args: [{ name: 'game', value: name }] } },
            ],
          },
        },
      }),
    ),
  );
  for (const name of ['bad', 'good']) {
    await person.untilRow(gd, name, '2 2 2 2 2');
    await person.replace(gd, name, imagePath, 'python:3.5');
  }
  await person.untilStatus(gd, 'bad', { pauseConditions: [{ reason: 'PausedByStepBasedHook' }] });
  await person.terminal.run(['wait', gd, 'good', '--for=condition=Healthy', '--timeout=300s']);
  await person.untilStatus(gd, 'good', { phase: 'Complete', currentStepIndex: 2, updatedReadyReplicas: 2 });
  expect(await person.row(gd, 'bad')).toBe('2 1 1 2 2');
});

test('a hook that is enforced holds kubectl delete and drain, until it consents or the glass is broken', async () => {
  await using service = await startHookService(45);
  const person = await open('enforced');
  const { terminal } = person;
  await person.apply(
    hookTemplate(
      'ask',
      web(service.url, {
        interval: '1s',
        failureLimit: 1000,
        successfulLimit: 1,
        successCondition: 'asInt(result) < 30',
      }),
    ),
    make('game', {
      replicas: 2,
      preDeleteUpdateStrategy: { enforce: 'Always', hook: { templateName: 'ask' } },
    }),
  );
  await person.untilRow(gd, 'game', '2 2 2 2 2');
  const [first = {}, second = {}] = await person.list('pods');

  await terminal.run(['delete', 'pod', nameOf(first), '--wait=false']);
  await person.untilRuns([/^predelete-\S+ Running$/]);
  // It is replaced at once, and still there.
  await person.untilRow(gd, 'game', '2 2 2 2 2');
  expect(at(await person.get('pod', nameOf(first)), 'metadata', 'deletionTimestamp')).toBeDefined();
  service.age = 25;
  await terminal.run(['wait', 'pod', nameOf(first), '--for=delete', '--timeout=300s']);
  await person.untilRuns([]);

  service.age = 45;
  await terminal.run(['delete', 'pod', nameOf(second), '--wait=false']);
  await person.untilRuns([/^predelete-\S+ Running$/]);
  await terminal.run(['annotate', 'pod', nameOf(second), 'boathook.dev/break-glass=please']);
  await expect
    .poll(() => terminal.run(['describe', gd, 'game']))
    .toMatch(/Warning +BreakGlassRefused .*must name a user and a reason/);
  await terminal.run([
    'annotate',
    '--overwrite',
    'pod',
    nameOf(second),
    'boathook.dev/break-glass=alice: the node is on fire',
  ]);
  await terminal.run(['wait', 'pod', nameOf(second), '--for=delete', '--timeout=300s']);
  await expect
    .poll(() => terminal.run(['describe', gd, 'game']))
    .toMatch(/Warning +BreakGlass .*alice broke the glass \(the node is on fire\), written by kubectl/);

  // A drain waits as well, and goes on when the hook consents.
  const [third = {}] = (await person.list('pods')).filter(
    (pod) => at(pod, 'metadata', 'deletionTimestamp') === undefined,
  );
  const node = textAt(third, 'spec', 'nodeName') ?? '';
  const drain = terminal.run([
    'drain',
    node,
    '--ignore-daemonsets',
    '--force',
    '--timeout=300s',
    `--pod-selector=app=game`,
  ]);
  await expect
    .poll(async () => at(await person.get('pod', nameOf(third)), 'metadata', 'deletionTimestamp'))
    .toBeDefined();
  service.age = 25;
  expect(await drain).toContain('drained');
  await terminal.run(['uncordon', node]);

  // Deleting the workload waits as well, until the glass is broken for all of its pods.
  service.age = 45;
  await terminal.run(['delete', gd, 'game', '--cascade=foreground', '--wait=false']);
  await person.untilRuns([/^predelete-\S+ Running$/, /^predelete-\S+ Running$/]);
  expect(await person.list('pods')).toHaveLength(2);
  await terminal.run(['annotate', gd, 'game', 'boathook.dev/break-glass=alice: the region is gone']);
  await terminal.run(['wait', gd, 'game', '--for=delete', '--timeout=300s']);
  await expect.poll(async () => (await person.list('pods')).length).toBe(0);
  await person.untilRuns([]);
});

test('a person pauses, scales and goes on (G1)', async () => {
  const person = await open('paused');
  await person.apply(make('game', { replicas: 2, updateStrategy: { maxUnavailable: 2 } }));
  await person.untilRow(gd, 'game', '2 2 2 2 2');
  await person.replace(gd, 'game', '/spec/updateStrategy/paused', true);
  await person.untilStatus(gd, 'game', { phase: 'Paused', pauseConditions: [{ reason: 'PausedByUser' }] });
  await person.replace(gd, 'game', imagePath, 'python:3.5');
  await person.terminal.run(['scale', '--replicas=3', `${gd}/game`]);
  await person.untilRow(gd, 'game', '3 1 1 3 3');
  await person.replace(gd, 'game', '/spec/updateStrategy/paused', false);
  await person.untilRow(gd, 'game', '3 3 3 3 3');
});

test('hooks before and after an update in place (A17)', async () => {
  await using service = await startHookService(45);
  const person = await open('around');
  const key = 'io.tencent.bcs.dev/game-pod-deleting';
  const fields = [{ path: `metadata.annotations.${key}`, value: 'false' }];
  const web2 = web(service.url, { count: 10, interval: '1s', successfulLimit: 1 });
  const kubernetes = (call: string): JsonObject => ({
    name: call,
    interval: '1s',
    successfulLimit: 1,
    provider: { kubernetes: { function: call, fields } },
  });
  await person.apply(
    hookTemplate('test-hooktemplate', web2, { policy: 'Ordered' }),
    {
      ...hookTemplate('test-post', {}),
      spec: { policy: 'Ordered', metrics: [kubernetes('patch'), kubernetes('get')] },
    },
    make('game', {
      replicas: 2,
      updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 1 },
      preInplaceUpdateStrategy: { hook: { templateName: 'test-hooktemplate' } },
      postInplaceUpdateStrategy: { hook: { templateName: 'test-post' } },
    }),
  );
  await person.untilRow(gd, 'game', '2 2 2 2 2');
  const watch = await person.terminal.watching(['get', 'hookrun', '--watch', '--output=name']);
  await person.replace(gd, 'game', imagePath, 'python:3.5');
  await watch.lineLike(/\/preinplace-game-\S+-\S{5}-test-hooktemplate$/);
  await watch.lineLike(/\/postinplace-game-\S+-\S{5}-test-post$/);
  await watch.stop();
  await person.untilStatus(gd, 'game', { phase: 'Complete', updatedReadyReplicas: 2 });
  await person.untilRuns([]);
  expect(at(await person.get(gd, 'game'), 'status', 'postInplaceHookCondition')).toBeUndefined();
  const pods = await person.list('pods');
  expect(pods.map((pod) => annotationsOf(pod)[key])).toEqual(['false', 'false']);
  expect(pods.map(restartsOf)).toEqual([1, 1]);
});

test('an autoscaler reads and writes the scale (A18)', async () => {
  const person = await open('scaled');
  await person.apply(make('game', { replicas: 1 }));
  await person.untilRow(gd, 'game', '1 1 1 1 1');
  const path = '/apis/tkex.tencent.com/v1alpha1/namespaces/scaled/gamedeployments/game/scale';
  const scale = JSON.parse(await person.terminal.run(['get', '--raw', path])) as JsonObject;
  expect(scale).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 1, selector: 'app=game' } });
  const stdin = JSON.stringify({ ...scale, spec: { replicas: 3 } });
  await person.terminal.run(['replace', '--raw', path, '-f', '-'], { stdin });
  await person.untilRow(gd, 'game', '3 3 3 3 3');
});
