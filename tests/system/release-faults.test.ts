import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { readAct } from '#releases/model/act.ts';
import { readChange } from '#releases/model/release-change.ts';
import { launchBoathook, runBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { canaryTerminal, gameWorkload, type CanaryTerminal } from '../support/canary-terminal.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import type { Ended } from '../support/program.ts';

/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

/** A server without controllers: nobody but the test changes a workload. */
let server: Boathook;
let person: CanaryTerminal;

beforeAll(async () => {
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on this machine');
  server = await startBoathook({ flags: ['--controllers', 'none', '--authorization', 'rbac'] });
  person = canaryTerminal(openTerminal(newest, server, 'default'));
  const steps = [{ partition: 1 }, { pause: {} }, { partition: 0 }];
  const strategy = { updateStrategy: { type: 'InplaceUpdate', canary: { steps } } };
  await person.apply(
    gameWorkload('GameDeployment', 'shop', strategy),
    gameWorkload('GameDeployment', 'both', {}),
    gameWorkload('GameStatefulSet', 'both', { serviceName: 'both' }),
  );
  await status('shop', {
    observedGeneration: 1,
    updateRevision: 'shop-new',
    currentStepIndex: 1,
    pauseConditions: [{ reason: 'PausedByCanaryPauseStep', startTime: '2026-01-05T12:00:00Z' }],
    canary: { revision: 'shop-old', releaseID: 'r1' },
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const status = (name: string, value: JsonObject): Promise<string> =>
  person.terminal.run([
    'patch',
    'gd',
    name,
    '--subresource=status',
    '--type=merge',
    '-p',
    JSON.stringify({ status: value }),
  ]);

const release = (...args: readonly string[]): Promise<Ended> =>
  runBoathook(['release', ...args, '--kubeconfig', server.kubeconfig]);

test.for<[readonly string[], number, RegExp]>([
  [['promote', 'gd/shpo'], 1, /there is no GameDeployment shpo in namespace default; did you mean shop\?/],
  [['abort', 'both'], 2, /"both" names more than one workload: write gd\/both or gsts\/both/],
  [['promote', 'gd/shop', '--to-step', '0'], 2, /--to-step 0 is not the number of a step/],
  [['promote', 'gd/shop', '--to-step', '9'], 2, /gd\/shop has the steps 1 to 3, so --to-step 9 names none/],
  [['promote', 'gd/shop', '--to-step', '3', '--full'], 2, /give --full or --to-step, not both/],
  [['promote', 'gd/shop', '--expect', 'two'], 2, /--expect two is not the state of a release/],
  [['promote', 'gd/shop', '--expect', 'r0/2'], 1, /gd\/shop is at r1\/2 and not at r0\/2: another release/],
  [['pause', 'gd/shop', '--wait', 'soon'], 2, /--wait soon is not a duration/],
  [['retry', 'gd/shop', '-o', 'xml'], 2, /-o xml is not known: use json, yaml or name/],
  [['undo', 'gd/shop', '--to-revision', 'first'], 2, /--to-revision first is not the number of a revision/],
  [['undo', 'gd/shop', '--to-revision', '4'], 1, /gd\/shop has no revision 4: it has none/],
  [['set', 'image', 'gd/shop', 'python'], 2, /"python" is not CONTAINER=IMAGE/],
  [
    ['set', 'image', 'gd/shop', 'pyton=python:3'],
    2,
    /no container pyton: it has python; did you mean python\?/,
  ],
  [['restart', 'gd/shop'], 1, /gd\/shop cannot be restarted: updateStrategy.type InplaceUpdate keeps pods/],
  [['promote', 'gd/shop', '--as', 'bob'], 1, /forbidden: User "bob" cannot get resource "gamedeployments"/],
])('boathook release %j ends with %i', async ([args, code, message]) => {
  const before = (await person.get('gd', 'shop'))['metadata'];
  const ended = await lines.run(['release', ...args, '--kubeconfig', server.kubeconfig]);
  expect(ended).toMatchObject({ code, out: '' });
  expect(ended.error).toMatch(message);
  expect((await person.get('gd', 'shop'))['metadata']).toEqual(before);
});

test('nothing to do is said, and exits with 0; what waits for another verb exits with 4', async () => {
  const same = await release('set', 'image', 'gd/shop', 'python=python:latest');
  expect(same).toMatchObject({ code: 0, error: '' });
  expect(same.out).toBe('gd/shop has these images already, so nothing was changed\n');
  const waits = await release('resume', 'gd/shop');
  expect(waits).toMatchObject({ code: 4, error: '' });
  expect(waits.out).toMatch(/not by a user; to end that pause, use: boathook release promote gd\/shop\n$/);
});

test('who may read and not write is refused in the words of the server', async () => {
  await person.terminal.run([
    'create',
    'clusterrole',
    'reader',
    '--verb=get,list',
    '--resource=gamedeployments',
  ]);
  await person.terminal.run([
    'create',
    'clusterrolebinding',
    'ann-reads',
    '--clusterrole=reader',
    '--user=ann',
  ]);
  for (const args of [
    ['promote', 'gd/shop'],
    ['pause', 'gd/both'],
    ['set', 'image', 'gd/both', 'python=python:3'],
  ]) {
    const refused = await release(...args, '--as', 'ann');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toMatch(/forbidden: User "ann" cannot patch resource "gamedeployments"/);
  }
  expect(readAct(await person.get('gd', 'shop')).type).toBe('none');
});

test('machine output: what was written, by whom, and for which state', async () => {
  const admin = ['--as', 'carol', '--as-group', 'system:masters'];
  const written = await release(
    'promote',
    'gd/shop',
    '--wait',
    '100ms',
    '-o',
    'json',
    '--reason',
    'checked',
    ...admin,
  );
  expect(written.code).toBe(4);
  const report = JSON.parse(written.out) as { readonly id: string };
  expect(report).toMatchObject({
    verb: 'promote',
    workload: 'gd/shop',
    namespace: 'default',
    result: 'Requested',
    state: 'r1/2',
  });
  expect(readAct(await person.get('gd', 'shop'))).toMatchObject({
    act: { id: report.id, by: 'carol', reason: 'checked', target: { release: 'r1', step: 1 } },
  });
  const again = await release('promote', 'gd/shop', '--wait', '0', '-o', 'yaml');
  expect(again.code).toBe(0);
  expect(again.out).toContain(`id: ${report.id}\n`);
  const changed = await release('set', 'image', 'gd/both', '*=python:3', '-o', 'name', ...admin);
  expect(changed).toMatchObject({ code: 0, out: 'gamedeployment.tkex.tencent.com/both\n' });
  expect(readChange(await person.get('gd', 'both'))).toMatchObject({ verb: 'set image', by: 'carol' });
});

test('Ctrl-C while it waits for the controller: 130, and the request stays', async () => {
  const args = ['release', 'abort', 'gd/shop', '--wait', '10m', '--kubeconfig', server.kubeconfig];
  await using waiting = launchBoathook(args);
  await expect
    .poll(async () => readAct(await person.get('gd', 'shop')))
    .toMatchObject({ act: { verb: 'abort' } });
  expect(await waiting.stop('SIGINT')).toMatchObject({ code: 130 });
  expect(waiting.errors()).toMatch(
    /interrupted: the request to abort the release at step 2\/3 .* is written and stays/,
  );
});

test('without a cluster it ends with 5, and without the kinds it names the remedy', async () => {
  const kinds = ['gamedeployments', 'gamestatefulsets'].map((plural) => `${plural}.tkex.tencent.com`);
  await person.terminal.run(['delete', 'crd', ...kinds]);
  const missing = await release('promote', 'gd/shop');
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(missing.error).toMatch(/install it with boathook crds \| kubectl apply -f -/);
  await server.stop();
  const gone = await release('promote', 'gd/shop');
  expect(gone).toMatchObject({ code: 5, out: '' });
  expect(gone.error).toMatch(/cannot be reached/);
});
