import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, textAt, type JsonObject } from '#base/json.ts';
import { parseYaml } from '#edge/yaml.ts';
import { annotationsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import {
  canaryTerminal,
  gameWorkload,
  imageOf,
  imagePath,
  restartsOf,
  startHookService,
  type CanaryTerminal,
} from '../support/canary-terminal.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { readProjectFile } from '../support/project-files.ts';

const gsts = 'gamestatefulset';
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

const make = (spec: JsonObject): JsonObject =>
  gameWorkload('GameStatefulSet', 'web', { serviceName: 'web', ...spec });
const names = (pods: readonly KubeObject[]): readonly string[] => pods.map(nameOf).sort();
const five = ['web-0', 'web-1', 'web-2', 'web-3', 'web-4'];

/** Pods by ordinal. */
const pods = async (person: CanaryTerminal): Promise<readonly KubeObject[]> =>
  (await person.list('pods')).toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));

test('scaling side by side (A13)', async () => {
  const person = await open('scale');
  await person.apply(make({ replicas: 1, podManagementPolicy: 'Parallel' }));
  await person.untilRow(gsts, 'web', '1 1 1 1 1');
  expect(names(await person.list('pods'))).toEqual(['web-0']);
  expect(await person.terminal.run(['scale', '--replicas=3', `${gsts}/web`])).toBe(
    'gamestatefulset.tkex.tencent.com/web scaled\n',
  );
  await person.untilRow(gsts, 'web', '3 3 3 3 3');
  expect(names(await person.list('pods'))).toEqual(['web-0', 'web-1', 'web-2']);
  const columns = (await person.terminal.run(['get', gsts])).split('\n')[0] ?? '';
  expect(columns.trim()).toMatch(
    /^NAME +REPLICAS +READY_REPLICAS +CURRENT_REPLICAS +UPDATED_REPLICAS +UPDATED_READY_REPLICAS +AGE +PHASE +STEP +REASON$/,
  );
  await person.terminal.run(['scale', '--replicas=0', `${gsts}/web`]);
  await expect.poll(async () => (await person.list('pods')).length).toBe(0);
});

test('a rolling update replaces the highest numbers (A14)', async () => {
  const person = await open('rolling');
  await person.apply(
    make({ replicas: 5, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 3 } } }),
  );
  await person.untilRow(gsts, 'web', '5 5 5 5 5');
  const before = await pods(person);
  await person.replace(gsts, 'web', imagePath, 'python:3.5');
  await person.untilRow(gsts, 'web', '5 5 3 2 2');
  const after = await pods(person);
  expect(after.map(nameOf)).toEqual(five);
  expect(after.map(imageOf).map((image) => image === 'python:3.5')).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(after.map((pod, ordinal) => uidOf(pod) === uidOf(before[ordinal] ?? {}))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  await person.replace(gsts, 'web', '/spec/updateStrategy/rollingUpdate/partition', 0);
  await person.untilRow(gsts, 'web', '5 5 5 5 5');
});

test('an update in place restarts the highest numbers (A15)', async () => {
  const person = await open('inplace');
  await person.apply(
    make({ replicas: 5, updateStrategy: { type: 'InplaceUpdate', rollingUpdate: { partition: 3 } } }),
  );
  await person.untilRow(gsts, 'web', '5 5 5 5 5');
  const before = await pods(person);
  await person.replace(gsts, 'web', imagePath, 'python:3.5');
  await person.untilRow(gsts, 'web', '5 5 3 2 2');
  const after = await pods(person);
  expect(after.map(uidOf)).toEqual(before.map(uidOf));
  expect(after.map(restartsOf)).toEqual([0, 0, 0, 1, 1]);
});

test('a hot patch restarts nothing (A16)', async () => {
  const person = await open('hot');
  await person.apply(
    make({
      replicas: 5,
      updateStrategy: {
        type: 'HotPatchUpdate',
        rollingUpdate: { partition: 3 },
        hotPatchStrategy: { force: true },
      },
    }),
  );
  await person.untilRow(gsts, 'web', '5 5 5 5 5');
  await person.replace(gsts, 'web', imagePath, 'python:3.5');
  await person.untilRow(gsts, 'web', '5 5 3 2 2');
  const after = await pods(person);
  const isPatched = after.map((pod) => annotationsOf(pod)['hotpatch-update-state'] !== undefined);
  expect(isPatched).toEqual([false, false, false, true, true]);
  expect(after.map(imageOf).slice(2)).toEqual(['python:latest', 'python:3.5', 'python:3.5']);
});

test('the example in steps: a hook that passes, and a last pause that holds (A19)', async () => {
  await using service = await startHookService(25);
  const person = await open('steps');
  const example = (file: string): JsonObject =>
    parseYaml(
      readProjectFile(`examples/canary-stateful/${file}`)
        .replace('http://127.0.0.1:9091', service.url)
        .replace('interval: 60s', 'interval: 1s')
        .replace('duration: 60', 'duration: 2')
        .replace('gracePeriodSeconds: 30', 'gracePeriodSeconds: 1'),
    )[0] as JsonObject;
  await person.apply(example('hooktemplate.yaml'), example('gamestatefulset.yaml'));
  await person.untilRow(gsts, 'web', '5 5 5 5 5');
  const stable = textAt(await person.get(gsts, 'web'), 'status', 'updateRevision') ?? '';
  expect((await person.get(gsts, 'web'))['status']).toMatchObject({
    currentStepIndex: 6,
    canary: { revision: stable },
  });

  await person.replace(gsts, 'web', imagePath, 'python:3.5');
  await person.untilStatus(gsts, 'web', {
    currentStepIndex: 1,
    pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }],
  });
  expect(await person.row(gsts, 'web')).toBe('5 5 3 2 2');

  await person.replace(gsts, 'web', '/spec/updateStrategy/paused', false);
  await person.untilStatus(gsts, 'web', {
    currentStepIndex: 5,
    pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }],
  });
  expect(await person.row(gsts, 'web')).toBe('5 5 1 4 4');
  await person.untilRuns([/-4-test Successful$/]);
  expect(service.asked).toHaveLength(2);
  const paused = await person.get(gsts, 'web');
  expect(at(paused, 'spec', 'updateStrategy', 'paused')).toBe(true);
  expect(textAt(paused, 'status', 'canary', 'revision')).toBe(stable);
  expect(imageOf((await pods(person))[0] ?? {})).toBe('python:latest');

  await person.replace(gsts, 'web', '/spec/updateStrategy/paused', false);
  await person.untilRow(gsts, 'web', '5 5 5 5 5');
  const last = await person.untilStatus(gsts, 'web', { phase: 'Complete', currentStepIndex: 6 });
  expect(textAt(last, 'status', 'canary', 'revision')).toBe(textAt(last, 'status', 'updateRevision'));
  expect((await pods(person)).map(restartsOf)).toEqual([1, 1, 1, 1, 1]);
});

test('a hook that fails stops it, and a rollback is one command (A19)', async () => {
  await using service = await startHookService(45);
  const person = await open('stopped');
  await person.apply(
    {
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind: 'HookTemplate',
      metadata: { name: 'test' },
      spec: {
        metrics: [
          {
            name: 'webtest',
            successCondition: 'asInt(result) < 30',
            provider: { web: { url: service.url, jsonPath: '{$.age}' } },
          },
        ],
      },
    },
    make({
      replicas: 3,
      podManagementPolicy: 'Parallel',
      updateStrategy: {
        type: 'InplaceUpdate',
        canary: { steps: [{ partition: 2 }, { hook: { templateName: 'test' } }] },
      },
    }),
  );
  await person.untilRow(gsts, 'web', '3 3 3 3 3');
  await person.replace(gsts, 'web', imagePath, 'python:3.5');
  await person.untilStatus(gsts, 'web', { pauseConditions: [{ reason: 'PausedByStepBasedHook' }] });
  expect(await person.row(gsts, 'web')).toBe('3 3 2 1 1');
  await person.untilRuns([/-1-test Failed$/]);
  await person.replace(gsts, 'web', imagePath, 'python:latest');
  await person.untilStatus(gsts, 'web', { phase: 'Complete', updatedReadyReplicas: 3, currentStepIndex: 2 });
  // The verdict stays for people to look at.
  await person.untilRuns([/-1-test Failed$/]);
  expect((await pods(person)).map(imageOf)).toEqual(Array(3).fill('python:latest'));
});
