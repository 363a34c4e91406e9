import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { annotationsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { identityOf } from '#releases/model/act-identity.ts';
import {
  launchBoathook,
  runBoathook,
  startBoathook,
  wholeCluster,
  type Boathook,
} from '../support/boathook.ts';
import {
  canaryTerminal,
  gameWorkload,
  imageOf,
  startHookService,
  type CanaryTerminal,
} from '../support/canary-terminal.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import type { Ended, Following } from '../support/program.ts';
import { readProjectFile } from '../support/project-files.ts';

const gd = 'gamedeployment';
const name = 'test-gamedeployment';

/** A person with kubectl, for everything but releases, and `boathook release`. */
class Operator {
  readonly server: Boathook;
  readonly person: CanaryTerminal;
  readonly #controller: Following | undefined;

  constructor(server: Boathook, person: CanaryTerminal, controller: Following | undefined) {
    this.server = server;
    this.person = person;
    this.#controller = controller;
  }

  release = (...args: readonly string[]): Promise<Ended> =>
    runBoathook(['release', ...args, '--kubeconfig', this.server.kubeconfig]);

  /** Runs a verb that must succeed, and gives back the line that it prints. */
  async done(...args: readonly string[]): Promise<string> {
    const ended = await this.release(...args);
    expect(ended, `release ${args.join(' ')}`).toMatchObject({ code: 0, error: '' });
    expect(ended.out.trimEnd().split('\n')).toHaveLength(1);
    return ended.out.trimEnd();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller?.stop();
    await this.server[Symbol.asyncDispose]();
  }
}

async function open(flags: readonly string[], isSeparate: boolean): Promise<Operator> {
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on this machine');
  const server = await startBoathook({ flags: [...wholeCluster, '--profile', 'instant', ...flags] });
  const person = canaryTerminal(openTerminal(newest, server, 'default'));
  if (!isSeparate) return new Operator(server, person, undefined);
  const controller = launchBoathook([
    'controller',
    '--kubeconfig',
    server.kubeconfig,
    '--outgoing-allow',
    '127.0.0.0/8',
  ]);
  await controller.lineLike(/^running /);
  return new Operator(server, person, controller);
}

/** The files of the seed, with this hook service and shorter waits. */
async function applySeed({ person }: Operator, url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-verbs-'));
  try {
    for (const file of ['hooktemplate.yaml', 'gamedeployment.yaml']) {
      const text = readProjectFile(`examples/canary/${file}`)
        .replace('http://127.0.0.1:9091', url)
        .replace('duration: 60', 'duration: 600')
        .replace('interval: 60s', 'interval: 1s')
        .replace('gracePeriodSeconds: 30', 'gracePeriodSeconds: 1');
      writeFileSync(join(folder, file), text);
      await person.terminal.run(['apply', '-f', join(folder, file)]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await person.untilStatus(gd, name, { phase: 'Complete', updatedReadyReplicas: 4 });
}

const pausedAt = (index: number, reason: string): JsonObject => ({
  currentStepIndex: index,
  pauseConditions: [{ reason }],
});

const images = async ({ person }: Operator): Promise<readonly string[]> =>
  [...new Set((await person.list('pods')).map(imageOf))].sort();

const untilComplete = (operator: Operator, image: string): Promise<void> =>
  expect
    .poll(
      async () => {
        const workload = await operator.person.get(gd, name);
        return [textAt(workload, 'status', 'phase'), ...(await images(operator))];
      },
      { interval: 150 },
    )
    .toEqual(['Complete', image]);

/** What a verb can change. */
const requestsIn = (workload: KubeObject): readonly unknown[] => [
  numberAt(workload, 'metadata', 'generation'),
  annotationsOf(workload),
];

const actsOf = (workload: KubeObject): readonly string[] =>
  listAt(workload, 'status', 'history')
    .flatMap((record) => listAt(record, 'acts'))
    .map((act) => `${textAt(act, 'verb') ?? ''} ${textAt(act, 'result') ?? ''}`);

test.for([
  { where: 'on boathook up', flags: [], isSeparate: false },
  { where: 'with a controller in a process of its own', flags: ['--controllers', 'none'], isSeparate: true },
])("the seed's walk with the verbs alone, $where", async ({ flags, isSeparate }) => {
  await using service = await startHookService(45);
  await using operator = await open(flags, isSeparate);
  const { person } = operator;
  const workload = `gd/${name}`;
  await applySeed(operator, service.url);
  const stable = textAt(await person.get(gd, name), 'status', 'updateRevision') ?? '';

  // A new image, and the pause of the seed's second step.
  expect(await operator.done('set', 'image', workload, 'python=python:3.5', '--reason', 'new season')).toBe(
    `${workload}: images set: python: python:latest -> python:3.5. A release starts at step 1/5.`,
  );
  const first = await person.untilStatus(gd, name, pausedAt(1, 'PausedByCanaryPauseStep'));
  expect(await images(operator)).toEqual(['python:3.5', 'python:latest']);

  const wrong = await operator.release('resume', workload);
  expect(wrong).toMatchObject({ code: 4, error: '' });
  expect(wrong.out).toContain(`use: boathook release promote ${workload}`);
  // The controllers may write its status meanwhile.
  expect(requestsIn(await person.get(gd, name))).toEqual(requestsIn(first));

  const promote = ['promote', workload, '--expect', identityOf(first), '--reason', 'one pod is fine'];
  expect(await operator.done(...promote)).toBe(`${workload}: Promoted from step 2/5 to step 3/5.`);
  expect(await operator.done(...promote)).toContain('that was done already, and nothing was changed');

  // A pause with a duration, which only a promotion shortens; then a hook that fails, twice.
  await person.untilStatus(gd, name, pausedAt(3, 'PausedByCanaryPauseStep'));
  expect(await operator.done('promote', workload)).toBe(`${workload}: Promoted from step 4/5 to step 5/5.`);
  const failed = await person.untilStatus(gd, name, pausedAt(4, 'PausedByStepBasedHook'));
  const run = `${textAt(failed, 'status', 'updateRevision') ?? ''}-4-test`;
  expect(textAt(failed, 'status', 'canary', 'currentStepHookRun')).toBe(run);
  expect(await operator.done('retry', workload)).toContain(`The hook of step 5/5 runs again`);
  await person.untilStatus(gd, name, {
    ...pausedAt(4, 'PausedByStepBasedHook'),
    canary: { currentStepHookRun: `${run}-2`, revision: stable },
  });
  await person.untilRuns([/-4-test Failed$/, /-4-test-2 Failed$/]);
  expect(await operator.done('promote', workload)).toBe(`${workload}: Promoted from step 5/5 to the end.`);
  await untilComplete(operator, 'python:3.5');
  expect(await operator.done('promote', workload)).toBe(`all 5 steps of ${workload} are done`);

  // Back from a release by abort, and into it again up to a step.
  await operator.done('set', 'image', workload, '*=python:3.6');
  await person.untilStatus(gd, name, pausedAt(1, 'PausedByCanaryPauseStep'));
  expect(await operator.done('abort', workload, '--reason', 'too slow')).toContain('Aborted at step 2/5');
  await expect.poll(() => images(operator)).toEqual(['python:3.5']);
  const refused = await operator.release('promote', workload);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.error).toContain(`use: boathook release retry ${workload}`);
  expect(await operator.done('retry', workload)).toContain('starts again at step 1/5');
  await person.untilStatus(gd, name, pausedAt(1, 'PausedByCanaryPauseStep'));
  await operator.done('promote', workload, '--to-step', '4');
  await person.untilStatus(gd, name, pausedAt(3, 'PausedByCanaryPauseStep'));
  await operator.done('promote', workload, '--full', '--skip-hook');
  await untilComplete(operator, 'python:3.6');

  // A template set back is a release; set back to the stable one it is the end of a release.
  expect(await operator.done('undo', workload)).toMatch(
    /python:3\.6 -> python:3\.5\)\. A release starts at step 1\/5\.$/,
  );
  await person.untilStatus(gd, name, pausedAt(1, 'PausedByCanaryPauseStep'));
  expect(await operator.done('undo', workload)).toMatch(
    /\(python: python:3\.5 -> python:3\.6\)\. This is the stable revision/,
  );
  await untilComplete(operator, 'python:3.6');

  // A user's own pause holds back the next release.
  expect(await operator.done('pause', workload, '--reason', 'a busy evening')).toContain(
    'is paused: no pod is updated until',
  );
  expect(await operator.done('set', 'image', workload, 'python=python:3.7')).toContain('is paused by a user');
  const held = await person.untilStatus(gd, name, {
    currentStepIndex: 0,
    pauseConditions: [{ reason: 'PausedByUser' }],
  });
  expect(await images(operator)).toEqual(['python:3.6']);
  expect((await operator.release('promote', workload)).code).toBe(4);
  expect(at(held, 'spec', 'updateStrategy', 'paused')).toBe(true);
  expect(await operator.done('resume', workload)).toMatch(/ continues: /);
  service.age = 20;
  await person.untilStatus(gd, name, pausedAt(1, 'PausedByCanaryPauseStep'));
  await operator.done('promote', workload, '--full');
  await untilComplete(operator, 'python:3.7');

  const last = await person.get(gd, name);
  expect(actsOf(last).filter((each) => !each.endsWith('Done'))).toEqual([]);
  expect(new Set(actsOf(last))).toEqual(
    new Set(
      ['promote', 'retry', 'abort', 'undo', 'pause', 'resume', 'set image'].map((verb) => `${verb} Done`),
    ),
  );
  const events = await person.terminal.run(['describe', gd, name]);
  expect(events).toMatch(/ImageSetByUser.*Requested by user .*Reason: new season/);
  expect(events).toMatch(/PromotedByUser.*Promoted from step 2\/5 to step 3\/5\..*Reason: one pod is fine/);
  expect(events).toMatch(/AbortedByUser.*Reason: too slow/);
  expect(events).toMatch(
    /PausedByUser.*Requested by user .*field manager boathook-release.*Reason: a busy evening/,
  );
  const byVerb = listAt(last, 'status', 'history').flatMap((record) => listAt(record, 'acts'));
  for (const act of byVerb) {
    expect(act).toMatchObject({ by: 'boathook-admin', manager: 'boathook-release' });
  }
});

test('two promote processes at the same moment go on by one step, each time', async () => {
  await using operator = await open([], false);
  const { person } = operator;
  // With OnDelete nothing happens between two pauses until a pod is deleted.
  const rounds = 4;
  const steps = Array.from({ length: rounds }, (_, round) => [
    { pause: {} },
    { partition: rounds - round - 1 },
  ]).flat();
  await person.apply(
    gameWorkload('GameDeployment', 'shop', {
      replicas: rounds,
      updateStrategy: { type: 'OnDelete', canary: { steps } },
    }),
  );
  await person.untilStatus(gd, 'shop', { phase: 'Complete', updatedReadyReplicas: 4 });
  await operator.done('set', 'image', 'gd/shop', 'python=python:3.5');
  for (let round = 0; round < rounds; round += 1) {
    await person.untilStatus(gd, 'shop', pausedAt(2 * round, 'PausedByCanaryPauseStep'));
    const ended = await Promise.all([1, 2, 3].map(() => operator.release('promote', 'gd/shop')));
    expect(ended.map(({ code, error }) => `${code}${error}`)).toEqual(['0', '0', '0']);
    const after = await person.get(gd, 'shop');
    expect(numberAt(after, 'status', 'currentStepIndex')).toBe(2 * round + 1);
    expect(actsOf(after)).toEqual(['set image Done', ...Array<string>(round + 1).fill('promote Done')]);
    const old = (await person.list('pods')).find((pod) => imageOf(pod) === 'python:latest');
    await person.terminal.run(['delete', 'pod', nameOf(old ?? {})]);
  }
  await person.untilStatus(gd, 'shop', { phase: 'Complete', updatedReadyReplicas: 4 });
});

test('the same --expect many times is one promotion, also where pauses follow each other', async () => {
  await using operator = await open([], false);
  const { person } = operator;
  const steps = [{ partition: 1 }, { pause: {} }, { pause: {} }, { pause: {} }, { pause: {} }];
  await person.apply(
    gameWorkload('GameDeployment', 'shop', { replicas: 2, updateStrategy: { canary: { steps } } }),
  );
  await person.untilStatus(gd, 'shop', { phase: 'Complete', updatedReadyReplicas: 2 });
  await operator.done('set', 'image', 'gd/shop', 'python=python:3.5');
  for (const index of [1, 2, 3]) {
    const paused = await person.untilStatus(gd, 'shop', pausedAt(index, 'PausedByCanaryPauseStep'));
    const promote = ['promote', 'gd/shop', '--expect', identityOf(paused)];
    const ended = await Promise.all([1, 2, 3].map(() => operator.release(...promote)));
    expect(ended.map(({ code, error }) => `${code}${error}`)).toEqual(['0', '0', '0']);
    await person.untilStatus(gd, 'shop', pausedAt(index + 1, 'PausedByCanaryPauseStep'));
  }
});

test.for([
  { kind: 'GameStatefulSet', spec: { serviceName: 'db', updateStrategy: { type: 'RollingUpdate' } } },
  { kind: 'GameDeployment', spec: { updateStrategy: { type: 'InplaceIfPossible' } } },
])('restart replaces every pod of a $kind, and undo sets its image back', async ({ kind, spec }) => {
  await using operator = await open([], false);
  const { person } = operator;
  const workload = kind === 'GameDeployment' ? 'gd/db' : 'gsts/db';
  const pods = async (): Promise<readonly KubeObject[]> => person.list('pods');
  const uids = async (): Promise<readonly string[]> => (await pods()).map(uidOf);
  const untilUpdated = (): Promise<KubeObject> =>
    person.untilStatus(kind, 'db', { phase: 'Complete', updatedReadyReplicas: 2, replicas: 2 });
  await person.apply(gameWorkload(kind, 'db', { replicas: 2, ...spec }));
  await untilUpdated();
  const before = await uids();

  const restarted = await operator.done('restart', workload, '--reason', 'new certificates');
  expect(restarted).toBe(
    `${workload}: its pods are replaced by new ones of the same template. Pods are updated now.`,
  );
  await expect.poll(async () => (await uids()).filter((uid) => before.includes(uid))).toEqual([]);
  await untilUpdated();
  expect((await pods()).map(imageOf)).toEqual(['python:latest', 'python:latest']);

  await operator.done('set', 'image', workload, 'python=python:3.5');
  await expect.poll(async () => (await pods()).map(imageOf)).toEqual(['python:3.5', 'python:3.5']);
  await untilUpdated();
  expect(await operator.done('undo', workload, '--to-revision', '2')).toContain(
    '(python: python:3.5 -> python:latest)',
  );
  await expect.poll(async () => (await pods()).map(imageOf)).toEqual(['python:latest', 'python:latest']);
  const acts = listAt(await untilUpdated(), 'status', 'history').flatMap((record) => listAt(record, 'acts'));
  expect(acts.map((act) => textAt(act, 'verb'))).toEqual(['undo', 'set image', 'restart']);
});
