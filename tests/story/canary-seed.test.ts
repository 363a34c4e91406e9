import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseTime } from '#base/time.ts';
import type { Resource } from '#kube/resource.ts';
import { parseYaml } from '#edge/yaml.ts';
import { labelsOf, nameOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { hookRuns, hookTemplates, never, openHooksWorld, type HooksWorld } from '../support/hooks-world.ts';
import { root } from '../support/project-files.ts';

const gameDeployments: Resource = { ...hookRuns, plural: 'gamedeployments' };
const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const name = 'test-gamedeployment';

const example = (file: string): JsonObject =>
  parseYaml(readFileSync(join(root, 'examples/canary', file), 'utf8'))[0] as JsonObject;

type Patch = readonly { readonly op: 'replace'; readonly path: string; readonly value: Json }[];

/** The seed's walk-through: what a person does, and what they see. */
class Walk {
  readonly world: HooksWorld;
  constructor(world: HooksWorld) {
    this.world = world;
  }

  async apply(change: (template: JsonObject) => JsonObject = (same) => same): Promise<void> {
    const inDefault = (object: JsonObject): JsonObject => ({
      ...object,
      metadata: { ...(object['metadata'] as JsonObject), namespace: 'default' },
    });
    await this.#ok(
      this.world.client.create(hookTemplates, inDefault(change(example('hooktemplate.yaml'))), never),
    );
    await this.#ok(
      this.world.client.create(gameDeployments, inDefault(example('gamedeployment.yaml')), never),
    );
    await this.world.pass(10, 1);
  }

  async patch(path: string, value: Json): Promise<void> {
    const body: Patch = [{ op: 'replace', path, value }];
    const key = { namespace: 'default', name };
    await this.#ok(this.world.client.patch(gameDeployments, key, { type: 'json', body }, never));
  }

  image = (image: string): Promise<void> => this.patch('/spec/template/spec/containers/0/image', image);
  goOn = (): Promise<void> => this.patch('/spec/updateStrategy/paused', false);

  async look(): Promise<KubeObject> {
    return this.#ok(this.world.client.get(gameDeployments, { namespace: 'default', name }, never));
  }

  /** DESIRED, UPDATED, UPDATED_READY, READY and TOTAL. */
  async row(): Promise<string> {
    const seen = await this.look();
    const counters = ['updatedReplicas', 'updatedReadyReplicas', 'readyReplicas', 'replicas'];
    return [
      numberAt(seen, 'spec', 'replicas'),
      ...counters.map((each) => numberAt(seen, 'status', each)),
    ].join(' ');
  }

  async runs(): Promise<readonly KubeObject[]> {
    const listed = await this.world.client.list(hookRuns, { namespace: 'default' }, never);
    return listed.type === 'ok' ? listed.items : [];
  }

  async pods(): Promise<readonly KubeObject[]> {
    const listed = await this.world.client.list(pods, { namespace: 'default' }, never);
    return listed.type === 'ok' ? listed.items : [];
  }

  /** To step 1: one pod is updated, and a person is waited for. */
  async toFirstPause(): Promise<void> {
    await this.image('python:3.5');
    await this.world.pass(60, 1);
  }

  /** To step 3: two pods are updated, and a minute begins. Stops as soon as it has. */
  async toTimedPause(): Promise<void> {
    await this.goOn();
    for (let waits = 0; waits < 120; waits += 1) {
      await this.world.pass(1, 1);
      if (numberAt(await this.look(), 'status', 'currentStepIndex') === 3 && (await this.isPaused())) return;
    }
    throw new Error('step 3 was not reached');
  }

  async isPaused(): Promise<boolean> {
    return at(await this.look(), 'spec', 'updateStrategy', 'paused') === true;
  }

  async #ok(answer: ReturnType<HooksWorld['client']['get']>): Promise<KubeObject> {
    const outcome = await answer;
    if (outcome.type !== 'ok') throw new Error(outcome.message);
    return outcome.object;
  }
}

async function open(
  change?: (template: JsonObject) => JsonObject,
): Promise<AsyncDisposable & { readonly walk: Walk }> {
  const world = await openHooksWorld({ nodes: 2 });
  world.service = () => ({ name: 'bryan', male: 'yes', age: 45 });
  const walk = new Walk(world);
  await walk.apply(change);
  return { walk, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

const statusOf = (seen: KubeObject): JsonObject => at(seen, 'status') as JsonObject;
const restarts = (pod: KubeObject): number =>
  numberAt(listAt(pod, 'status', 'containerStatuses')[0], 'restartCount') ?? -1;
const imageOf = (pod: KubeObject): string | undefined =>
  textAt(listAt(pod, 'spec', 'containers')[0], 'image');

test('the first template takes no steps (A1.1)', async () => {
  await using opened = await open();
  const { walk } = opened;
  expect(await walk.row()).toBe('4 4 4 4 4');
  const seen = await walk.look();
  const status = statusOf(seen);
  expect(status).toMatchObject({
    currentStepIndex: 5,
    collisionCount: 0,
    labelSelector: `app=${name}`,
    phase: 'Complete',
  });
  expect(textAt(status, 'canary', 'revision')).toBe(textAt(status, 'updateRevision'));
  expect(at(seen, 'spec', 'updateStrategy', 'paused')).toBe(false);
  expect(await walk.runs()).toEqual([]);
});

test('the whole walk, with the numbers of the seed (A1)', async () => {
  await using opened = await open();
  const { walk } = opened;
  const { world } = walk;
  const stable = textAt(await walk.look(), 'status', 'updateRevision') ?? '';
  const names = (await walk.pods()).map(nameOf).sort();

  await walk.toFirstPause();
  expect(await walk.row()).toBe('4 1 1 4 4');
  const first = await walk.look();
  const revision = textAt(first, 'status', 'updateRevision') ?? '';
  expect(revision).not.toBe(stable);
  expect(at(first, 'spec', 'updateStrategy')).toEqual({
    canary: {
      steps: [
        { partition: 3 },
        { pause: {} },
        { partition: 2 },
        { pause: { duration: 60 } },
        { hook: { templateName: 'test' } },
      ],
    },
    inPlaceUpdateStrategy: { gracePeriodSeconds: 30 },
    maxUnavailable: 2,
    paused: true,
    type: 'InplaceUpdate',
  });
  expect(statusOf(first)).toMatchObject({
    availableReplicas: 4,
    canary: { revision: stable },
    collisionCount: 0,
    currentStepIndex: 1,
    labelSelector: `app=${name}`,
    observedGeneration: numberAt(first, 'metadata', 'generation'),
    pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }],
    readyReplicas: 4,
    replicas: 4,
    updateRevision: revision,
    updatedReadyReplicas: 1,
    updatedReplicas: 1,
  });

  // For as long as nobody comes, and without a write.
  await world.pass(900, 10);
  expect(await walk.row()).toBe('4 1 1 4 4');
  expect(resourceVersionOf(await walk.look())).toBe(resourceVersionOf(first));

  await walk.toTimedPause();
  expect(await walk.row()).toBe('4 2 2 4 4');
  const second = statusOf(await walk.look());
  expect(second).toMatchObject({
    canary: { revision: stable },
    currentStepHash: textAt(first, 'status', 'currentStepHash'),
    currentStepIndex: 3,
    pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }],
    updateRevision: revision,
  });
  const began = startOf(second);
  expect(began).toBeGreaterThan(startOf(statusOf(first)));

  // Nobody shortens the minute (A1.3b).
  await world.pass(20, 5);
  await walk.goOn();
  await world.pass(2, 1);
  expect(await walk.isPaused()).toBe(true);
  expect(startOf(statusOf(await walk.look()))).toBe(began);
  expect(world.asked).toEqual([]);

  await world.pass(45, 1);
  expect(await walk.row()).toBe('4 2 2 4 4');
  const third = await walk.look();
  const run = `${revision}-4-test`;
  expect(at(third, 'spec', 'updateStrategy', 'paused')).toBe(true);
  expect(statusOf(third)).toMatchObject({
    canary: { currentStepHookRun: run, revision: stable },
    currentStepIndex: 4,
    pauseConditions: [{ reason: 'PausedByStepBasedHook' }],
    phase: 'Paused',
    updatedReadyReplicas: 2,
    updatedReplicas: 2,
  });
  expect(startOf(statusOf(third)) - began).toBeGreaterThanOrEqual(60_000);
  expect(startOf(statusOf(third)) - began).toBeLessThanOrEqual(63_000);
  expect(textAt(third, 'status', 'message')).toContain(`HookRun ${run} is Failed (metric webtest is Failed`);

  const [asked = {}, ...others] = await walk.runs();
  expect(others).toEqual([]);
  expect(nameOf(asked)).toBe(run);
  expect(at(asked, 'spec')).toEqual({
    metrics: [
      {
        count: 2,
        interval: '60s',
        name: 'webtest',
        provider: { web: { jsonPath: '{$.age}', url: 'http://127.0.0.1:9091' } },
        successCondition: 'asInt(result) < 30',
      },
    ],
  });
  expect(labelsOf(asked)).toMatchObject({
    'gamedeployment-revision': revision,
    'gamedeployment-type': 'Step',
    'step-index': '4',
  });
  expect(listAt(asked, 'metadata', 'ownerReferences')).toMatchObject([
    { kind: 'GameDeployment', name, controller: true, blockOwnerDeletion: true },
  ]);
  expect(statusOf(asked)).toMatchObject({
    metricResults: [
      {
        count: 1,
        failed: 1,
        measurements: [{ phase: 'Failed', value: '45' }],
        name: 'webtest',
        phase: 'Failed',
      },
    ],
    phase: 'Failed',
  });
  // The second call is never made.
  await world.pass(120, 10);
  expect(world.asked).toHaveLength(1);

  await walk.goOn();
  await world.pass(3, 1);
  expect(await walk.row()).toBe('4 4 2 2 4');
  await world.pass(60, 1);
  expect(await walk.row()).toBe('4 4 4 4 4');
  const last = await walk.look();
  expect(statusOf(last)).toMatchObject({ currentStepIndex: 5, canary: { revision }, phase: 'Complete' });
  expect(at(last, 'status', 'pauseConditions')).toBeUndefined();
  expect(at(last, 'spec', 'updateStrategy', 'paused')).toBe(false);

  const after = await walk.pods();
  expect(after.map(nameOf).sort()).toEqual(names);
  expect(after.map(imageOf)).toEqual(Array(4).fill('python:3.5'));
  expect(after.map(restarts)).toEqual([1, 1, 1, 1]);
  expect((await world.told(name)).filter((said) => said.includes('SetStepIndex'))).not.toEqual([]);
  expect((await world.told(name)).filter((said) => said.includes('SuccessfulUpdatePodInPlace'))).toHaveLength(
    4,
  );
});

test('back to the old image in the middle of it (A1.5b)', async () => {
  await using opened = await open();
  const { walk } = opened;
  const { world } = walk;
  const stable = textAt(await walk.look(), 'status', 'updateRevision');
  await walk.toFirstPause();
  await walk.toTimedPause();
  await world.pass(70, 1);
  expect(statusOf(await walk.look())).toMatchObject({
    pauseConditions: [{ reason: 'PausedByStepBasedHook' }],
  });

  await walk.image('python:latest');
  await world.pass(80, 1);
  const seen = await walk.look();
  expect(await walk.row()).toBe('4 4 4 4 4');
  expect(statusOf(seen)).toMatchObject({
    updateRevision: stable,
    canary: { revision: stable },
    currentStepIndex: 5,
  });
  expect(at(seen, 'spec', 'updateStrategy', 'paused')).toBe(false);
  // The verdict stays for people to look at, and decides nothing any more.
  expect((await walk.runs()).map((run) => textAt(run, 'status', 'phase'))).toEqual(['Failed']);
  const after = await walk.pods();
  expect(after.map(imageOf)).toEqual(Array(4).fill('python:latest'));
  expect(after.map(restarts).toSorted((left, right) => left - right)).toEqual([0, 0, 2, 2]);
});

test('a hook that passes (A2)', async () => {
  await using opened = await open((template) => {
    const text = JSON.stringify(template).replace('asInt(result) < 30', 'asInt(result) > 30');
    return JSON.parse(text) as JsonObject;
  });
  const { walk } = opened;
  const { world } = walk;
  await walk.toFirstPause();
  await walk.toTimedPause();
  await world.pass(61, 1);
  expect(statusOf(await walk.look())).toMatchObject({ currentStepIndex: 4 });
  expect(await walk.isPaused()).toBe(false);
  await world.pass(62, 1);
  const [run = {}] = await walk.runs();
  expect(textAt(run, 'status', 'phase')).toBe('Successful');
  expect(world.asked).toHaveLength(2);
  await world.pass(60, 1);
  expect(await walk.row()).toBe('4 4 4 4 4');
  expect(statusOf(await walk.look())).toMatchObject({ currentStepIndex: 5, phase: 'Complete' });
});

test('a template whose pod is not named cannot be asked by a step, and says so (G14)', async () => {
  await using opened = await open((template) => ({
    ...template,
    spec: { ...(template['spec'] as JsonObject), args: [{ name: 'PodName' }] },
  }));
  const { walk } = opened;
  await walk.toFirstPause();
  await walk.toTimedPause();
  await walk.world.pass(70, 1);
  const seen = statusOf(await walk.look());
  expect(seen).toMatchObject({ currentStepIndex: 4, phase: 'Blocked' });
  expect(textAt(seen, 'message')).toContain('the argument PodName has no value');
  expect(await walk.row()).toBe('4 2 2 4 4');
});

function startOf(status: JsonObject): number {
  return parseTime(textAt(listAt(status, 'pauseConditions')[0], 'startTime') ?? '') ?? 0;
}
