import { join } from 'node:path';
import { expect, test } from 'vitest';
import { numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { budgets } from '#loop/owned/resources.ts';
import type { KubeObject } from '#kube/object.ts';
import { explanationLines } from '#releases/cli/explanation-lines.ts';
import type { Explanation } from '#releases/decide/explain/explanation.ts';
import { openExplainWorld, uselessActs, type ExplainWorld } from '../support/explain-world.ts';
import { image, isComplete, make, never, templates } from '../support/game-world.ts';
import { root } from '../support/project-files.ts';

const inSteps = (steps: Json, more: JsonObject = {}): JsonObject => ({
  replicas: 4,
  updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 2, canary: { steps }, ...more },
});

const hook = { hook: { templateName: 'age' } };
const walk = [{ partition: 3 }, { pause: {} }, { partition: 2 }, { pause: { duration: 60 } }, hook];

const isIn =
  (phase: string, step?: number) =>
  (workload: KubeObject): boolean =>
    textAt(workload, 'status', 'phase') === phase &&
    numberAt(workload, 'status', 'observedGeneration') === numberAt(workload, 'metadata', 'generation') &&
    (step === undefined || numberAt(workload, 'status', 'currentStepIndex') === step);

/** What it says is what the controller wrote, and it has nothing to doubt. */
async function expectSame({ world, explain }: ExplainWorld): Promise<Explanation> {
  await world.settle();
  const explanation = await explain();
  const workload = await world.workload();
  const status = objectAt(workload, 'status') ?? {};
  expect(explanation.message).toBe(textAt(status, 'message'));
  expect(explanation.phase).toBe(textAt(status, 'phase'));
  expect(explanation.reason).toBe(textAt(status, 'reason'));
  expect(explanation.warnings).toEqual([]);
  expect(uselessActs(explanation, workload)).toEqual([]);
  return explanation;
}

/** The screens at 80 and at 160 columns; no line is wider. */
async function expectScreens(name: string, explanation: Explanation): Promise<void> {
  for (const columns of [80, 160]) {
    const lines = explanationLines(explanation, columns);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    const file = join(root, `tests/golden/release-explain/${name}.${columns}.txt`);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file);
  }
}

const commandsOf = ({ remedies }: Explanation): readonly string[] =>
  remedies.flatMap(({ command }) => (command === undefined ? [] : [command]));

test('a complete release', async () => {
  await using at = await openExplainWorld({ spec: inSteps(walk) });
  const explanation = await expectSame(at);
  expect(explanation).toMatchObject({ phase: 'Complete', reason: 'AllPodsUpdated', why: [], remedies: [] });
  await expectScreens('complete', explanation);
});

test('a pause without a duration', async () => {
  await using at = await openExplainWorld({ spec: inSteps(walk) });
  await at.world.patch(image('2'));
  await at.world.until(isIn('Paused', 1));
  const explanation = await expectSame(at);
  expect(explanation).toMatchObject({ reason: 'PausedByCanaryPauseStep', step: { number: 2, count: 5 } });
  expect(commandsOf(explanation)).toEqual([
    'boathook release promote gd/g',
    'boathook release promote gd/g --full',
    'boathook release abort gd/g',
  ]);
  await expectScreens('pause', explanation);
});

test('a pause with a duration', async () => {
  const steps = [{ partition: 3 }, { pause: { duration: 60 } }, hook];
  await using at = await openExplainWorld({ spec: inSteps(steps) });
  await at.world.patch(image('2'));
  await at.world.until(isIn('Paused', 1));
  await at.world.pass(10);
  const explanation = await expectSame(at);
  const [end] = explanation.next;
  expect(end?.what).toBe('The pause of step 2/3 ends after 1m.');
  await expectScreens('timed-pause', explanation);
  // It ends when the explanation says, not before.
  const due = Date.parse(end?.at ?? '');
  await at.world.pass((due - at.world.clock.now()) / 1000 - 1);
  expect(numberAt(await at.world.workload(), 'status', 'currentStepIndex')).toBe(1);
  await at.world.pass(1.5);
  expect(numberAt(await at.world.workload(), 'status', 'currentStepIndex')).not.toBe(1);
});

test('a failed hook', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, hook]) });
  at.world.answer(() => ({ age: 45 }));
  await at.world.patch(image('2'));
  await at.world.until(isIn('Paused', 1));
  const explanation = await expectSame(at);
  expect(explanation.reason).toBe('PausedByStepBasedHook');
  expect(explanation.evidence.hookRuns).toMatchObject([
    {
      of: 'step 2/2',
      phase: 'Failed',
      metrics: [{ threshold: 'passes if asInt(result) < 30', values: [{ value: '45', phase: 'Failed' }] }],
    },
  ]);
  expect(commandsOf(explanation)).toContain('boathook release retry gd/g');
  await expectScreens('failed-hook', explanation);
});

test('a hook without a verdict', async () => {
  const metric = { count: 3, interval: '10s' };
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, hook]), metric });
  await at.world.patch(image('2'));
  await at.world.until(() => at.world.asked.length === 1);
  await at.world.pass(4);
  const explanation = await expectSame(at);
  expect(explanation).toMatchObject({ phase: 'Progressing', reason: 'WaitingForHook' });
  const [call] = explanation.next;
  expect(call?.what).toContain('makes call 2 of 3 of metric age');
  await expectScreens('waiting-hook', explanation);
  const due = Date.parse(call?.at ?? '');
  await at.world.pass((due - at.world.clock.now()) / 1000 - 1.5);
  expect(at.world.asked).toHaveLength(1);
  await at.world.pass(2);
  expect(at.world.asked).toHaveLength(2);
});

test('updated pods that are not ready', async () => {
  await using at = await openExplainWorld({
    spec: inSteps([{ partition: 2 }, { pause: {} }], { type: 'RollingUpdate' }),
  });
  const annotations = { 'sim.boathook.dev/ready-delay': '30s', 'sim.boathook.dev/crash-after': '1s' };
  const metadata = { labels: { app: 'g' }, annotations };
  await at.world.patch({ spec: { template: { metadata } } });
  await at.world.pass(20);
  const explanation = await expectSame(at);
  expect(explanation.reason).toBe('WaitingForPods');
  const [pod] = explanation.evidence.pods;
  expect(pod).toMatchObject({ cause: 'its container c waits with CrashLoopBackOff' });
  expect(commandsOf(explanation)).toContain(`kubectl logs ${pod?.name} --all-containers --previous`);
  await expectScreens('pods-not-ready', explanation);
});

test('an aborted release', async () => {
  const abort = { hook: { templateName: 'age', onFailure: 'Abort' } };
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 2 }, abort]) });
  at.world.answer(() => ({ age: 45 }));
  await at.world.patch(image('2'));
  await at.world.until(isIn('Blocked'));
  await at.world.pass(20);
  const explanation = await expectSame(at);
  expect(explanation.reason).toBe('Aborted');
  expect(explanation.evidence.hookRuns).toMatchObject([{ phase: 'Failed', metrics: [{ name: 'age' }] }]);
  expect(commandsOf(explanation)).toContain('boathook release retry gd/g');
  await expectScreens('aborted', explanation);
});

test('a HookTemplate that is missing', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, hook]), metric: null });
  await at.world.patch(image('2'));
  await at.world.until(isIn('Blocked', 1));
  const explanation = await expectSame(at);
  expect(explanation.reason).toBe('HookTemplateMissing');
  await expectScreens('missing-template', explanation);
});

test('the pause of a person', async () => {
  await using at = await openExplainWorld({ spec: inSteps(walk) });
  await at.world.patch({ spec: { ...(image('2')['spec'] as JsonObject), updateStrategy: { paused: true } } });
  await at.world.until(isIn('Paused'));
  const explanation = await expectSame(at);
  expect(explanation.reason).toBe('PausedByUser');
  expect(commandsOf(explanation)[0]).toBe('boathook release resume gd/g');
  await expectScreens('paused-by-user', explanation);
});

test('a disruption budget', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, { pause: {} }]) });
  await make(at.world, budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'all-games', namespace: 'default' },
    spec: { minAvailable: 4, selector: {} },
  });
  await at.world.pass(2);
  await at.world.patch(image('2'));
  await at.world.until((workload) => (textAt(workload, 'status', 'message') ?? '').includes('Budget'));
  const explanation = await expectSame(at);
  expect(explanation.reason).toBe('BlockedByDisruptionBudget');
  expect(explanation.evidence.budgets).toEqual([{ name: 'all-games', disruptionsAllowed: 0 }]);
  await expectScreens('disruption-budget', explanation);
});

test('no controller acts', async () => {
  await using at = await openExplainWorld({ spec: inSteps(walk) });
  await at.world.stop();
  await at.world.patch(image('2'));
  const { warnings } = await at.explain();
  expect(warnings[0]).toMatch(/describes generation \d+ of the spec, which is at generation \d+/);
  expect(warnings[1]).toMatch(/The status says phase Complete.*the controller decides phase Progressing/);
});

test('a hook of a later step cannot run', async () => {
  await using at = await openExplainWorld({ spec: inSteps(walk) });
  await at.world.client.remove(templates, { namespace: 'default', name: 'age' }, never);
  await at.world.until(isComplete);
  const { warnings, phase } = await at.explain();
  expect(phase).toBe('Complete');
  expect(warnings).toEqual([expect.stringMatching(/A hook cannot run: .*HookTemplate age does not exist/)]);
});
