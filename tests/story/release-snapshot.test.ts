import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { gameDeploymentKind } from '#releases/controller/game-deployment-controller.ts';
import { requestReader } from '#releases/controller/request-reader.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { readWorkloadSnapshot } from '#releases/controller/workload-snapshot.ts';
import type { Decision } from '#releases/decide/snapshot.ts';
import { budgets } from '#loop/owned/resources.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const spec: JsonObject = {
  replicas: 4,
  updateStrategy: {
    type: 'InplaceUpdate',
    maxUnavailable: 2,
    canary: { steps: [{ partition: 3 }, { hook: { templateName: 'age' } }, { pause: {} }] },
  },
};

async function begin(): Promise<GameWorld> {
  const made = await closedAfterTest(openGameWorld());
  await made.control();
  await make(made, templates, hookTemplate());
  await make(made, gameDeployments, gameDeployment(spec));
  await made.until(isComplete);
  return made;
}

/** Takes a snapshot by GET and LIST requests only, and decides. */
async function decideByRequests(at: GameWorld): Promise<Decision> {
  const { get, list } = at.client;
  const workload = await at.workload();
  const reader = requestReader({ get, list }, gameDeploymentKind, never);
  const key = { namespace: namespaceOf(workload), name: nameOf(workload) };
  const snapshot = await readWorkloadSnapshot(reader, key, { now: () => at.clock.now() });
  if (snapshot === undefined) throw new Error('there is no workload');
  return gameDeploymentKind.decide(snapshot);
}

/** The controller has written the status and has nothing left to do: the same decision has no effect. */
async function expectSame(at: GameWorld): Promise<Decision> {
  const decision = await decideByRequests(at);
  expect(decision.status).toEqual(objectAt(await at.workload(), 'status'));
  expect(decision.actions).toEqual([]);
  expect(decision.spec).toBeUndefined();
  return decision;
}

const isAtStep =
  (step: number) =>
  (workload: KubeObject): boolean =>
    numberAt(workload, 'status', 'currentStepIndex') === step;

test('a snapshot by requests leads to the decision of the controller', async () => {
  const at = await begin();
  await expectSame(at);
  at.answer(() => 'hang');
  await at.patch(image('2'));
  await at.until(isAtStep(1));
  await at.settle();
  const waiting = await expectSame(at);
  expect(textAt(waiting.status, 'message')).toContain('waits for HookRun');
  at.answer(() => ({ age: 25 }));
  await at.until(isAtStep(2));
  await at.settle();
  const paused = await expectSame(at);
  expect(listAt(paused.status, 'pauseConditions')).toMatchObject([{ reason: 'PausedByCanaryPauseStep' }]);
});

test('it shows what a controller would do that does not run', async () => {
  const at = await begin();
  await at.stop();
  await at.patch({ spec: { replicas: 6 } });
  const scaled = await decideByRequests(at);
  expect(scaled.actions).toMatchObject([{ type: 'create-pods', count: 2 }]);
  expect(at.pods()).toHaveLength(4);
  await at.control();
  await at.until(isComplete);
  expect(at.pods()).toHaveLength(6);
  await expectSame(at);
});

test('it counts the PodDisruptionBudgets', async () => {
  const at = await begin();
  await at.stop();
  await make(at, budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'all', namespace: 'default' },
    spec: { minAvailable: 4, selector: {} },
  });
  await at.pass(2);
  await at.patch({ spec: { updateStrategy: { canary: null } } });
  await at.patch(image('2'));
  await at.control();
  await at.until((workload) => (textAt(workload, 'status', 'message') ?? '').includes('PodDisruptionBudget'));
  await at.settle();
  const decision = await expectSame(at);
  expect(decision.isWaitingForBudget).toBe(true);
});

test('a workload that does not exist has no snapshot', async () => {
  const at = await begin();
  const reader = requestReader(at.client, gameDeploymentKind, never);
  const key = { namespace: 'default', name: 'nothing' };
  expect(await readWorkloadSnapshot(reader, key, { now: () => at.clock.now() })).toBeUndefined();
});
