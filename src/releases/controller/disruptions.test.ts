import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { podOf } from '#kube/workload/testing/objects.ts';
import { budgetOf } from './disruptions.ts';

const budget: KubeObject = {
  metadata: { name: 'b', uid: 'b' },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } },
  status: { disruptionsAllowed: 1, desiredHealthy: 2, currentHealthy: 3 },
};
const pod = (name: string, isReady: boolean): KubeObject => {
  const made = podOf({ name, ...(isReady && { readyAt: 0 }) });
  const status = made['status'] as KubeObject;
  return { ...made, status: { ...status, phase: 'Running' } };
};
const none: ReadonlySet<string> = new Set();

test('a pod that is seen to be out of service counts before the status of the budget shows it', () => {
  const ready = [pod('a', true), pod('b', true), pod('c', true)];
  expect(budgetOf(budget, none, ready).left).toBe(1);
  expect(budgetOf(budget, none, [pod('a', false), ...ready.slice(1)]).left).toBe(0);
  expect(budgetOf(budget, none, undefined).left).toBe(1);
});
