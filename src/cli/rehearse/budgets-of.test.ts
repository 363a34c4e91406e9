import { expect, test } from 'vitest';
import { objectAt, type Json, type JsonObject } from '#base/json.ts';
import { budgetsOf } from './budgets-of.ts';

const workload = (name: string, more: { readonly kind?: string; readonly replicas?: number } = {}) => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: more.kind ?? 'GameDeployment',
  metadata: { name, namespace: 'games' },
  spec: { replicas: more.replicas ?? 3, template: { metadata: { labels: { app: 'shop', name } } } },
});

const budget = (spec: JsonObject, labels: JsonObject = { app: 'shop' }): JsonObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b', namespace: 'games' },
  spec: { ...spec, selector: { matchLabels: labels } },
});

test.for<{
  readonly name: string;
  readonly given: JsonObject;
  readonly neighbours?: readonly JsonObject[];
  readonly wanted: number;
  readonly pods: number;
  readonly others?: number;
  /** What the budget asks of the pods that are in the rehearsal. */
  readonly placed: JsonObject;
}>([
  {
    name: 'its own pods',
    given: { minAvailable: '50%' },
    wanted: 2,
    pods: 3,
    placed: { minAvailable: '50%' },
  },
  {
    name: 'pods of a GameDeployment, which is rehearsed by itself',
    given: { minAvailable: 4 },
    neighbours: [workload('b')],
    wanted: 4,
    pods: 6,
    others: 3,
    placed: { minAvailable: 1 },
  },
  {
    name: 'pods of a Deployment, which runs beside it',
    given: { maxUnavailable: 1 },
    neighbours: [workload('b', { kind: 'Deployment', replicas: 2 })],
    wanted: 4,
    pods: 5,
    others: 2,
    placed: { maxUnavailable: 1 },
  },
])('a budget protects $name', ({ given, neighbours = [], wanted, pods, others = 0, placed }) => {
  const object = budget(given);
  const found = budgetsOf(workload('a'), { neighbours: [object, ...neighbours], before: 3 });
  expect(found.budgets).toEqual([{ name: 'b', wanted, pods, others }]);
  const { selector: _same, ...spec } = objectAt(found.placed(object), 'spec') ?? {};
  expect(spec).toEqual(placed);
  expect(found.assumptions).toEqual(
    others === 0
      ? []
      : [
          `${others} pods of other workloads that PodDisruptionBudget b protects were assumed to stay in service`,
        ],
  );
});

test.for<{ readonly name: string; readonly object: Json }>([
  { name: 'of other labels', object: budget({ minAvailable: 1 }, { app: 'other' }) },
  { name: 'of another namespace', object: { ...budget({ minAvailable: 1 }), metadata: { name: 'b' } } },
])('a budget $name is none of its own', ({ object }) => {
  expect(budgetsOf(workload('a'), { neighbours: [object as JsonObject], before: 3 }).budgets).toEqual([]);
});

test('the lower number of pods counts before and after the change', () => {
  const neighbours = [budget({ minAvailable: 4 })];
  expect(budgetsOf(workload('a', { replicas: 9 }), { neighbours, before: 5 }).budgets[0]?.pods).toBe(5);
});
