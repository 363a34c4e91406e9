import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { gateType } from '#releases/model/well-known.ts';
import { testBrokenDecisions } from '../sim/broken/test-broken-decisions.ts';
import { BudgetJudge } from '../sim/judges/budget-judge.ts';
import { planSharedBudgets } from '../sim/plan-shared-budgets.ts';
import { playWorld } from '../sim/play-world.ts';

test('workloads that share a disruption budget do not overdraw it', { timeout: 60_000 }, async () => {
  // Seeds 11 and 50: the status of a budget lags behind new replicas.
  let restarts = 0;
  for (const seed of [11, 50]) {
    const { complaints, judged } = await playWorld(planSharedBudgets(seed));
    expect({ seed, complaints }).toEqual({ seed, complaints: [] });
    restarts += judged['restarts'] ?? 0;
  }
  expect(restarts).toBeGreaterThan(100);
});

test.for([
  [1_000_037, 'the controller ends a pause, its status is lost, and the template is set back'],
  [1_000_083, 'pods that were restarted in place are read again before a watch shows it'],
  [
    1_000_451,
    'the status of a budget shows a new pod of the other workload in service before the pod is seen so',
  ],
  [1_000_647, 'the other workload is being deleted, and its last pod is gone'],
  [3_000_074, 'an update that was given up arrives after the other workload has restarted a pod'],
  [3_000_260, 'the same when the pod was read again in between, and had not changed'],
  [3_000_234, 'the answer to an update is lost, and a new pod is made at once'],
  [3_000_266, 'a third template comes with steps while the last pod of the first is lost'],
  [3_000_369, 'the choice of a pod for a scale-down arrives after another one was chosen'],
] as const)('seed %i, which once broke a rule, holds: %s', { timeout: 60_000 }, async ([seed]) => {
  expect((await playWorld(planSharedBudgets(seed))).complaints).toEqual([]);
});

test('the same plan holds on the whole embedded server', { timeout: 60_000 }, async () => {
  const plan = planSharedBudgets(3, { subjects: 4, rounds: 2 });
  const { complaints, judged } = await playWorld(plan, { server: 'embedded' });
  expect(complaints).toEqual([]);
  expect(judged['restarts']).toBeGreaterThan(0);
});

test.for([
  { what: 'is not being deleted', isDeleting: false, hasPod: false, complaints: 1 },
  { what: 'is being deleted and has a pod', isDeleting: true, hasPod: true, complaints: 1 },
  { what: 'is being deleted and has no pod left', isDeleting: true, hasPod: false, complaints: 0 },
])('the judge of budgets and the replicas of a workload that $what', ({ isDeleting, hasPod, complaints }) => {
  const judge = new BudgetJudge();
  const see = (storage: string, object: KubeObject, before?: KubeObject): void =>
    judge.see({ type: before === undefined ? 'ADDED' : 'MODIFIED', storage, object, before }, instant(0));
  const metaOf = (name: string) => ({ namespace: 'default', name, uid: name, labels: { app: 'x' } });
  const workload = (name: string, replicas: number, deletion: JsonObject = {}): KubeObject => ({
    metadata: { ...metaOf(name), ...deletion },
    spec: { replicas },
  });
  const pod = (name: string, ready: 'True' | 'False', gate: 'True' | 'False'): KubeObject => ({
    metadata: { ...metaOf(name), ownerReferences: [{ uid: name.slice(0, 1), controller: true }] },
    status: {
      conditions: [
        { type: 'Ready', status: ready },
        { type: gateType, status: gate },
      ],
    },
  });
  const workloads = 'tkex.tencent.com/gamedeployments';
  const spec = { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } };
  see('policy/poddisruptionbudgets', { metadata: metaOf('b'), spec });
  see(workloads, workload('g', 4, isDeleting ? { deletionTimestamp: '2026-01-05T12:00:00Z' } : {}));
  see(workloads, workload('k', 3));
  if (hasPod) see('/pods', pod('g-a', 'False', 'True'));
  for (const name of ['k-0', 'k-1', 'k-2']) see('/pods', pod(name, 'True', 'True'));
  see('/pods', pod('k-2', 'True', 'False'), pod('k-2', 'True', 'True'));
  expect(judge.judged.restarts).toBe(1);
  expect(judge.complaints).toHaveLength(complaints);
});

testBrokenDecisions({
  sort: 'budgets',
  usual: 'releases',
  sources: ['src/releases/'],
  least: 3,
  play: (seed) => playWorld(planSharedBudgets(seed)),
});
