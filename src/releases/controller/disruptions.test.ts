import { expect, test } from 'vitest';
import { listAt, objectAt } from '#base/json.ts';
import { spendDisruption } from '#releases/decide/disruption-budgets.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { podOf } from '#kube/workload/testing/objects.ts';
import { gateType, inPlaceStateAnnotation, revisionLabel } from '#releases/model/well-known.ts';
import { budgetOf, Disruptions, type SeenPods } from './disruptions.ts';

const budget: KubeObject = {
  metadata: { name: 'b', uid: 'b', resourceVersion: '5' },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } },
  status: { disruptionsAllowed: 1, desiredHealthy: 2, currentHealthy: 3 },
};
const podAt = (name: string, version: number, isReady = true): KubeObject => {
  const made = podOf({ name, ...(isReady && { readyAt: 0 }) });
  return { ...made, metadata: { ...(made['metadata'] as KubeObject), resourceVersion: String(version) } };
};
const pod = (name: string, isReady: boolean): KubeObject => podAt(name, 1, isReady);

/** The gate is closed, and the kubelet has not noticed yet. */
const shutAt = (name: string, version: number): KubeObject => {
  const open = podAt(name, version);
  const status = open['status'] as { readonly conditions: readonly KubeObject[] };
  const gate = { type: gateType, status: 'False' };
  return {
    ...open,
    spec: { readinessGates: [{ conditionType: gateType }] },
    status: { ...status, conditions: [...status.conditions, gate] },
  };
};

/** What informers show; `shown` is changed by tests. */
function informed(...names: readonly string[]) {
  const shown = { budget, pods: names.map((name) => podAt(name, 1)) };
  const disruptions = new Disruptions({
    budgets: { list: () => [shown.budget] },
    pods: { list: () => shown.pods, get: (_, name) => shown.pods.find((each) => nameOf(each) === name) },
  });
  return { shown, disruptions, disrupted: disruptions.disrupted, left: () => leftOf(disruptions) };
}
const leftOf = (disruptions: Disruptions): number | undefined => disruptions.of('default')[0]?.left;
const all = (pods: readonly KubeObject[]): SeenPods => ({ pods });

test('a pod that is seen to be out of service counts before the status of the budget shows it', () => {
  const ready = [pod('a', true), pod('b', true), pod('c', true)];
  expect(budgetOf(budget, [], all(ready)).left).toBe(1);
  expect(budgetOf(budget, [], all([pod('a', false), ...ready.slice(1)])).left).toBe(0);
  expect(budgetOf(budget, [], undefined).left).toBe(1);
});

const workload = (replicas: number): KubeObject => ({
  spec: { replicas, template: { metadata: { labels: { app: 'x' } } } },
});

test('a shard that does not see all protected pods goes by the status, less all pods that it restarts', () => {
  const shared = { ...budget, status: { disruptionsAllowed: 1, desiredHealthy: 5, expectedPods: 6 } };
  const own = [podAt('a', 1), podAt('b', 1), podAt('c', 1)];
  const left = (pods: readonly KubeObject[], unseen: readonly KubeObject[] = []) =>
    budgetOf(shared, unseen, { pods, owners: [workload(3)] }).left;
  expect(left(own)).toBe(1);
  expect(left(own, own.slice(0, 1))).toBe(0);
  expect(left([shutAt('a', 2), ...own.slice(1)])).toBe(0);
  const updated = podOf({
    name: 'a',
    labels: { app: 'x', [revisionLabel]: 'two' },
    annotations: {
      [inPlaceStateAnnotation]: JSON.stringify({ revision: 'two', updateTimestamp: '2026-01-05T12:00:00Z' }),
    },
  });
  expect(left([updated, ...own.slice(1)])).toBe(0);
  // A pod that is out of service for another reason is in the status.
  expect(left([pod('a', false), ...own.slice(1)])).toBe(1);
});

test('a shard that sees all protected pods goes by what it sees, also when one of them is gone', () => {
  const pods = [podAt('b', 1), podAt('c', 1)];
  const status = { disruptionsAllowed: 1, desiredHealthy: 2, expectedPods: 3 };
  const left = (owners: readonly KubeObject[]) => budgetOf({ ...budget, status }, [], { pods, owners }).left;
  expect(left([workload(3)])).toBe(0);
  expect(left([workload(2), { spec: { replicas: 9 } }])).toBe(1);
});

test('a disrupted pod counts until it is seen, also when a status of the budget comes that is older', () => {
  const { shown, disrupted, left } = informed('a', 'b', 'c');
  disrupted.plan(podAt('a', 1));
  expect(left()).toBe(0);
  disrupted.written(shutAt('a', 7));
  shown.budget = { ...budget, metadata: { name: 'b', uid: 'b', resourceVersion: '6' } };
  expect(left()).toBe(0);
  shown.pods = [podAt('a', 6), podAt('b', 1), podAt('c', 1)];
  expect(left()).toBe(0);
  // It is back in service: nothing of the disruption is left, although the budget has not changed.
  shown.pods = [podAt('a', 9), podAt('b', 1), podAt('c', 1)];
  expect(left()).toBe(1);
});

test('a status that does not show the disrupted pod, and shows a loss that was not seen yet, allows no other', () => {
  const { shown, disrupted, left } = informed('a', 'b', 'c', 'd');
  disrupted.plan(podAt('a', 1));
  disrupted.written(shutAt('a', 7));
  expect(left()).toBe(0);
  shown.pods = [shutAt('a', 7), podAt('b', 1), podAt('c', 1), podAt('d', 1)];
  expect(left()).toBe(0);
});

test('a pod without a gate counts from the write until its container is replaced', () => {
  const state = (restartCount: number): KubeObject =>
    podOf({
      name: 'a',
      readyAt: 0,
      labels: { app: 'x', [revisionLabel]: 'two' },
      annotations: {
        [inPlaceStateAnnotation]: JSON.stringify({
          revision: 'two',
          updateTimestamp: '2026-01-05T12:00:00Z',
          lastContainerStatuses: { c: { restartCount: 0 } },
        }),
      },
      status: { containerStatuses: [{ name: 'c', restartCount, state: { running: {} } }] },
    });
  const others = [pod('b', true), pod('c', true)];
  expect(budgetOf(budget, [], all([state(0), ...others])).left).toBe(0);
  expect(budgetOf(budget, [], all([state(1), ...others])).left).toBe(1);
});

test('what is planned is counted at once, and no more when it was refused', () => {
  const { disruptions, disrupted, left } = informed('a', 'b', 'c');
  const planned = disruptions.plan([{ type: 'begin-in-place', pod: podAt('a', 1), patch: {} }]);
  expect(planned.map(nameOf)).toEqual(['a']);
  expect(left()).toBe(0);
  // The second workload of the same budget.
  expect(spendDisruption(disruptions.of('default'), podAt('b', 1))).toBeUndefined();
  expect(disruptions.waits('default', 'default/w')).toBeGreaterThan(0);
  for (const each of planned) disrupted.drop(each);
  expect(left()).toBe(1);
  expect(disruptions.waits('default', 'default/w')).toBe(0);
  disruptions.plan([{ type: 'begin-in-place', pod: pod('b', false), patch: {} }]);
  expect(left()).toBe(1);
});

test('whoever waits for a budget looks again while pods restart: they may be back before its status shows it', () => {
  const { shown, disruptions, left } = informed('a', 'b', 'c');
  expect(disruptions.waits('default', 'default/w')).toBe(0);
  const shut = shutAt('a', 2);
  const conditions = listAt(shut, 'status', 'conditions').map((each) => ({
    ...objectAt(each),
    status: 'False',
  }));
  shown.pods = [{ ...shut, status: { phase: 'Running', conditions } }, ...shown.pods.slice(1)];
  expect(left()).toBe(0);
  expect(disruptions.waits('default', 'default/w')).toBe(2000);
});

test('whoever waits for a budget looks again when its status shows a pod in service before the pod is seen so', () => {
  const { shown, disruptions, left } = informed('a', 'b', 'c');
  // A new pod of another workload, which has come into service.
  shown.pods = [pod('a', false), ...shown.pods.slice(1)];
  expect(left()).toBe(0);
  expect(disruptions.waits('default', 'default/w')).toBe(2000);
  // The budget changes when this pod comes into service.
  shown.budget = { ...budget, status: { disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 2 } };
  expect(disruptions.waits('default', 'default/w')).toBe(0);
  expect([...disruptions.takeStopped('default')]).toEqual(['default/w']);
});

test('a disruption whose answer was lost counts until the pod has another version: the write may arrive late', () => {
  const { shown, disrupted, left } = informed('a', 'b', 'c');
  disrupted.plan(podAt('a', 1));
  disrupted.answerLost(podAt('a', 1));
  disrupted.drop(podAt('a', 1));
  shown.budget = { ...budget, metadata: { name: 'b', uid: 'b', resourceVersion: '6' } };
  expect(left()).toBe(0);
  // Somebody has changed the pod, and it is in service: the server refuses the write.
  shown.pods = [podAt('a', 2), ...shown.pods.slice(1)];
  expect(left()).toBe(1);
});

test('a disruption that is tried again counts from the version that the last write named', () => {
  const { shown, disrupted, left } = informed('a', 'b', 'c');
  disrupted.plan(podAt('a', 1));
  disrupted.answerLost(podAt('a', 1));
  disrupted.answerLost(podAt('a', 3));
  shown.pods = [podAt('a', 3), ...shown.pods.slice(1)];
  expect(left()).toBe(0);
  disrupted.refused(podAt('a', 1));
  expect(left()).toBe(0);
  disrupted.refused(podAt('a', 3));
  expect(left()).toBe(1);
});

test('a disruption that is tried again is not allowed when others took pods away meanwhile', () => {
  const { shown, disruptions } = informed('a', 'b', 'c');
  disruptions.disrupted.plan(podAt('a', 1));
  disruptions.disrupted.answerLost(podAt('a', 1));
  expect(spendDisruption(disruptions.of('default'), podAt('a', 1))).toBeDefined();
  shown.pods = [podAt('a', 1), pod('b', false), podAt('c', 1)];
  expect(spendDisruption(disruptions.of('default'), podAt('a', 1))).toBeUndefined();
});
