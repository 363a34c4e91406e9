import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const hook = { hook: { templateName: 'age' } };

const stepsOf = (steps: readonly JsonObject[]): JsonObject => ({
  spec: { updateStrategy: { canary: { steps } } },
});

/** Four pods of the first template, and then a second one. */
async function release(steps: readonly JsonObject[], age = 25): Promise<GameWorld> {
  const made = await closedAfterTest(openGameWorld());
  made.answer(() => ({ age }));
  await made.control();
  await make(made, templates, hookTemplate());
  const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 4, canary: { steps } };
  await make(made, gameDeployments, gameDeployment({ replicas: 4, updateStrategy }));
  await made.until(isComplete);
  await made.patch(image('2'));
  return made;
}

const isAt =
  (step: number, reason: string) =>
  (workload: KubeObject): boolean =>
    numberAt(workload, 'status', 'currentStepIndex') === step &&
    listAt(workload, 'status', 'conditions').some((each) => textAt(each, 'reason') === reason);

const goOn = (at: GameWorld): Promise<KubeObject> =>
  at.patch({ spec: { updateStrategy: { paused: false } } });

const runsOf = (at: GameWorld): readonly string[] =>
  at.runs().map((run) => `${nameOf(run).split('-').slice(2).join('-')} ${textAt(run, 'status', 'phase')}`);

test('an edit of a later step asks nobody again and keeps the failed run', async () => {
  const steps = [{ partition: 3 }, { pause: {} }, { partition: 2 }, hook, { partition: 1 }];
  const at = await release(steps, 45);
  await at.until(isAt(1, 'PausedByCanaryPauseStep'));
  await goOn(at);
  const before = await at.until(isAt(3, 'PausedByStepBasedHook'));
  await at.patch(stepsOf([...steps.slice(0, 4), { partition: 0 }, { pause: { duration: 5 } }]));
  await at.pass(5);
  const after = await at.workload();
  expect(isAt(3, 'PausedByStepBasedHook')(after)).toBe(true);
  expect(listAt(after, 'status', 'pauseConditions')).toEqual(listAt(before, 'status', 'pauseConditions'));
  expect(runsOf(at)).toEqual(['3-age Failed']);
  expect(at.asked).toHaveLength(1);
  await goOn(at);
  await at.until(isComplete);
  expect(runsOf(at)).toEqual(['3-age Failed']);
});

test('an edit of the hook that failed asks it again, and the failed run is kept', async () => {
  const steps = [{ partition: 2 }, { pause: {} }, hook, { pause: {} }];
  const at = await release(steps, 45);
  await at.until(isAt(1, 'PausedByCanaryPauseStep'));
  await goOn(at);
  await at.until(isAt(2, 'PausedByStepBasedHook'));
  at.answer(() => ({ age: 20 }));
  const edited = { hook: { templateName: 'age', args: [{ name: 'again', value: 'yes' }] } };
  await at.patch(stepsOf([...steps.slice(0, 2), edited, { pause: {} }]));
  await at.until(isAt(3, 'PausedByCanaryPauseStep'));
  expect(runsOf(at)).toEqual(['2-age Failed', '2-age-2 Successful']);
});

test('a release of a template that was released before asks its hooks again', async () => {
  const steps = [{ partition: 2 }, hook, { pause: {} }];
  const at = await release(steps);
  await at.until(isAt(2, 'PausedByCanaryPauseStep'));
  await at.patch(image('1'));
  await at.until(isComplete);
  at.answer(() => ({ age: 45 }));
  await at.patch(image('2'));
  await at.until(isAt(1, 'PausedByStepBasedHook'));
  expect(runsOf(at)).toEqual(['1-age Successful', '1-age-2 Failed']);
});

test('pods that were updated and are not ready any more hold back a pause that is over', async () => {
  const made = await closedAfterTest(openGameWorld());
  await made.control();
  await make(made, templates, hookTemplate());
  const steps = [{ partition: 2 }, { pause: { duration: 20 } }, hook];
  const updateStrategy = { type: 'RollingUpdate', maxUnavailable: 4, canary: { steps } };
  await make(made, gameDeployments, gameDeployment({ replicas: 4, updateStrategy }));
  await made.until(isComplete);
  const ill = { metadata: { annotations: { 'sim.boathook.dev/probe': 'fail-after:5s' } } };
  await made.patch({
    spec: {
      template: { ...ill, spec: (image('2')['spec'] as { template: JsonObject }).template['spec'] ?? {} },
    },
  });
  await made.until(isAt(1, 'PausedByCanaryPauseStep'));
  await made.pass(40);
  const held = await made.workload();
  expect(isAt(1, 'CanaryPodsNotReady')(held)).toBe(true);
  expect(textAt(held, 'status', 'message')).toMatch(/^Step 2\/3 is done, but 2 updated pods are not ready\./);
  expect(made.asked).toEqual([]);
  await goOn(made);
  await made.until((workload) => numberAt(workload, 'status', 'currentStepIndex') === 2);
  await made.pass(5);
  expect(made.asked).toHaveLength(1);
  // The hook passed, and yet the pods are not ready.
  expect(isAt(2, 'CanaryPodsNotReady')(await made.workload())).toBe(true);
  const listed = await made.client.list(
    { group: '', version: 'v1', plural: 'events', namespaced: true },
    { namespace: 'default' },
    AbortSignal.timeout(5000),
  );
  const reasons = listed.type === 'ok' ? listed.items.map((each) => textAt(each, 'reason')) : [];
  expect(reasons).toContain('ResumedWithUnreadyPods');
  await made.patch({ spec: { updateStrategy: { canary: { holdOnUnready: false } } } });
  await made.until((workload) => numberAt(workload, 'status', 'currentStepIndex') === 3);
});
