import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import { parseYaml } from '#edge/yaml.ts';
import { runBoathook, startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import { gameWorkload } from '../support/canary-terminal.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const newest = (await findKubectls()).at(-1);
let boathook: Boathook;
let kubectl: Terminal;

beforeAll(async () => {
  boathook = await startBoathook({
    flags: [...wholeCluster, '--profile', 'instant', '--authorization', 'rbac'],
  });
  if (newest === undefined) throw new Error('there is no kubectl on this machine');
  kubectl = openTerminal(newest, boathook, 'games');
  await kubectl.run(['create', 'namespace', 'games']);
  const spec = {
    replicas: 2,
    updateStrategy: { type: 'InplaceUpdate', canary: { steps: [{ partition: 1 }, { pause: {} }] } },
  };
  const workload = gameWorkload('GameDeployment', 'shop', spec);
  await kubectl.run(['apply', '-f', '-'], { stdin: JSON.stringify(workload) });
  await kubectl.run(['wait', 'gd/shop', '--for=jsonpath={.status.phase}=Complete', '--timeout=300s']);
  const image: JsonObject = { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'app:2' };
  await kubectl.run(['patch', 'gd/shop', '--type=json', `--patch=${JSON.stringify([image])}`]);
  await kubectl.run(['wait', 'gd/shop', '--for=condition=Paused', '--timeout=300s']);
});
afterAll(async () => {
  await boathook?.[Symbol.asyncDispose]();
});

const explain = (...args: readonly string[]): Promise<Ended> =>
  runBoathook(['release', 'explain', '--kubeconfig', boathook.kubeconfig, ...args]);

test('what the status says, what comes next and what to do', async () => {
  const { code, out, error } = await explain('gd/shop', '-n', 'games');
  expect(error).toBe('');
  const message = await kubectl.run(['get', 'gd/shop', '--output=jsonpath={.status.message}']);
  expect(out).toContain('gd/shop in namespace games: Paused (PausedByCanaryPauseStep)\nStep 2/2: ');
  expect(out).toContain(`Why it does not move\n- ${message}\n`);
  expect(out).toContain(`boathook release promote gd/shop -n games --kubeconfig=${boathook.kubeconfig}\n`);
  expect(code).toBe(0);
});

test('the same as JSON and as YAML', async () => {
  const json = JSON.parse((await explain('shop', '-n', 'games', '-o', 'json')).out) as JsonObject;
  expect(json).toMatchObject({
    workload: 'gd/shop',
    namespace: 'games',
    phase: 'Paused',
    reason: 'PausedByCanaryPauseStep',
    step: { number: 2, count: 2 },
    warnings: [],
  });
  const { out } = await explain('shop', '-n', 'games', '-o', 'yaml');
  const [yaml] = parseYaml(out);
  expect(yaml).toEqual({ ...json, time: textAt(yaml, 'time') ?? '' });
});

test('a person of the namespace needs no right on nodes and Leases', async () => {
  const own = ['gamedeployments', 'hookruns', 'hooktemplates'].map((each) => `${each}.tkex.tencent.com`);
  const resources = [...own, 'pods', 'controllerrevisions.apps'].join(',');
  await kubectl.run(['create', 'role', 'reader', '--verb=get,list', `--resource=${resources}`]);
  await kubectl.run(['create', 'rolebinding', 'ann', '--role=reader', '--user=ann']);
  const { code, out, error } = await explain('gd/shop', '-n', 'games', '--as', 'ann');
  expect(error).toBe('');
  expect(out).toContain('gd/shop in namespace games: Paused');
  expect(out).toMatch(/This explanation does not know the PodDisruptionBudgets: /);
  expect(code).toBe(0);
  const typed = (type: string): readonly string[] => [
    'patch',
    'gd/shop',
    '--type=merge',
    `--patch={"spec":{"updateStrategy":{"type":"${type}"}}}`,
  ];
  await kubectl.run(typed('HotPatchUpdate'));
  expect((await explain('gd/shop', '-n', 'games', '--as', 'ann')).out).toMatch(
    /This explanation does not know the node node-\d: it does not exist, or you may not read nodes/,
  );
  await kubectl.run(typed('InplaceUpdate'));
  const stranger = await explain('gd/shop', '-n', 'games', '--as', 'bob');
  expect(stranger.error).toMatch(/gd\/shop in namespace games: .*forbidden/);
  expect(stranger.code).toBe(1);
});

test('a terminal of 60 columns', async () => {
  const flags = `-n games --kubeconfig ${boathook.kubeconfig}`;
  const command = `${join(root, 'boathook')} release explain gd/shop ${flags}`;
  const { out, code } = await runProgram('script', [
    '--quiet',
    '--return',
    '--command',
    `stty cols 60; ${command}`,
    '/dev/null',
  ]);
  expect(code).toBe(0);
  const lines = out.split('\r\n').filter((line) => !line.includes('--kubeconfig'));
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.length).toBeGreaterThan(10);
});

test.for<[string, readonly string[], number, RegExp]>([
  [
    'a name that does not exist',
    ['gd/shpo', '-n', 'games'],
    1,
    /there is no GameDeployment shpo.*did you mean shop/,
  ],
  ['a kind that does not exist', ['deploy/shop'], 2, /"deploy" is not a kind of workload/],
  ['a format that does not exist', ['gd/shop', '-o', 'name'], 2, /-o name is not known: use json or yaml/],
  ['a context that does not exist', ['gd/shop', '--context', 'none'], 2, /none/],
])('%s', async ([, args, code, says]) => {
  const ended = await explain(...args);
  expect(ended.error).toMatch(says);
  expect(ended.out).toBe('');
  expect(ended.code).toBe(code);
});
