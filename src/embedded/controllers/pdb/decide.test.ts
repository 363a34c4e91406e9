import { expect, test } from 'vitest';
import { listAt, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { after, noon, podOf, workloadOf } from '#kube/workload/testing/objects.ts';
import type { KubeObject } from '#kube/object.ts';
import { decideBudget, needsScale, type BudgetDecision } from './decide.ts';
import { expectedScale } from './expected-scale.ts';

const budgetOf = (spec: JsonObject, status: JsonObject = {}): KubeObject => ({
  metadata: { name: 'b', namespace: 'default', generation: 4 },
  spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
  status,
});
const ready = (count: number): readonly KubeObject[] =>
  Array.from({ length: count }, (_, at) => podOf({ name: `p${at}`, readyAt: 0 }));
const decide = (budget: KubeObject, pods: readonly KubeObject[], scale = 10, second = 0): BudgetDecision =>
  decideBudget({ budget, pods, scale: { type: 'known', count: scale } }, after(second));

test.for<readonly [string, JsonObject, number, number, readonly [number, number, number]]>([
  ['a number that must stay', { minAvailable: 3 }, 5, 5, [5, 3, 2]],
  ['a share that must stay, rounded up', { minAvailable: '55%' }, 10, 10, [10, 6, 4]],
  ['a number that may go', { maxUnavailable: 2 }, 10, 10, [10, 8, 2]],
  ['a share that may go, rounded up', { maxUnavailable: '15%' }, 10, 10, [10, 8, 2]],
  ['more may go than there are', { maxUnavailable: 20 }, 3, 3, [3, 0, 3]],
  ['fewer are there than should be', { maxUnavailable: 2 }, 7, 10, [10, 8, 0]],
  ['nothing is expected', { maxUnavailable: 1 }, 0, 0, [0, 0, 0]],
])('%s', ([, spec, have, scale, [expectedPods, desiredHealthy, disruptionsAllowed]]) => {
  expect(decide(budgetOf(spec), ready(have), scale).status).toMatchObject({
    expectedPods,
    desiredHealthy,
    currentHealthy: have,
    disruptionsAllowed,
    observedGeneration: 4,
  });
});

test('pods that are unready or terminating are not healthy', () => {
  const pods = [...ready(2), podOf(), podOf({ readyAt: 0, isDeleting: true })];
  expect(decide(budgetOf({ minAvailable: 1 }), pods).status).toMatchObject({
    currentHealthy: 2,
    expectedPods: 4,
  });
});

test('an evicted pod does not count until it is gone, or was not evicted after all', () => {
  const disruptedPods = { p0: formatTime(noon), gone: formatTime(noon) };
  const budget = budgetOf({ minAvailable: 1 }, { disruptedPods });
  const early = decide(budget, ready(3), 3, 60);
  expect(early.status).toMatchObject({
    currentHealthy: 2,
    disruptionsAllowed: 1,
    disruptedPods: { p0: formatTime(noon) },
  });
  expect(early.wakeAt).toBe(after(120));
  const late = decide(budget, ready(3), 3, 120);
  expect(late.status).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 2 });
  expect(late.status['disruptedPods']).toBeUndefined();
  expect(late.notes.map(({ reason }) => reason)).toEqual(['NotDeleted']);
});

test('a condition has whether a disruption is allowed, and since when', () => {
  const yes = decide(budgetOf({ minAvailable: 1 }), ready(2));
  expect(listAt(yes.status, 'conditions')).toEqual([
    {
      type: 'DisruptionAllowed',
      status: 'True',
      reason: 'SufficientPods',
      message: '',
      observedGeneration: 4,
      lastTransitionTime: formatTime(noon),
    },
  ]);
  const still = decide(budgetOf({ minAvailable: 1 }, yes.status), ready(3), 3, 50);
  expect(listAt(still.status, 'conditions')).toEqual(listAt(yes.status, 'conditions'));
  const no = decide(budgetOf({ minAvailable: 1 }, yes.status), ready(1), 3, 50);
  expect(listAt(no.status, 'conditions')).toMatchObject([
    { status: 'False', reason: 'InsufficientPods', lastTransitionTime: formatTime(after(50)) },
  ]);
});

test('without a known scale nothing may go', () => {
  const snapshot = {
    budget: budgetOf({ maxUnavailable: 1 }),
    pods: ready(2),
    scale: { type: 'unknown', why: 'lost' },
  } as const;
  expect(decideBudget(snapshot, noon).status).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ reason: 'SyncFailed', message: 'lost' }],
  });
});

test('whether the scale must be known', () => {
  expect(
    [{ minAvailable: 1 }, { minAvailable: '1%' }, { maxUnavailable: 1 }].map((spec) =>
      needsScale(budgetOf(spec)),
    ),
  ).toEqual([false, true, true]);
});

test('each controller is read once; pods without a controller cause an event', async () => {
  const owner = workloadOf('ReplicaSet', 'rs', {});
  const pods = [podOf({ owner }), podOf({ owner }), podOf()];
  const asked: string[] = [];
  const { scale, notes } = await expectedScale(pods, (_namespace, { name }) => {
    asked.push(name);
    return Promise.resolve({ type: 'known', count: 4, uid: 'deployment' });
  });
  expect([asked, scale, notes.map(({ reason }) => reason)]).toEqual([
    ['rs'],
    { type: 'known', count: 4 },
    ['UnmanagedPods'],
  ]);
});

test('the replica sets of a rollout expect together the replicas of their deployment', async () => {
  const sets = ['old', 'new'].map((name) => workloadOf('ReplicaSet', name, {}));
  const pods = sets.map((owner, at) => podOf({ name: `p${at}`, owner }));
  const { scale } = await expectedScale(pods, () =>
    Promise.resolve({ type: 'known', count: 4, uid: 'deployment' }),
  );
  expect(scale).toEqual({ type: 'known', count: 4 });
});
