import { expect, test } from 'vitest';
import { releaseViewOf, type ViewSnapshot } from '#releases/decide/view/release-view.ts';
import {
  shopPod,
  shopRun,
  shopSnapshot,
  shopWorkload,
  updateName,
} from '#releases/decide/view/testing/shop.ts';
import { changeLines } from './change-lines.ts';

const view = (parts: Partial<ViewSnapshot>) => releaseViewOf(shopSnapshot(parts));
const one = [shopPod({ name: 'a' })];

test('the first view is told whole', () => {
  const first = view({
    pods: one,
    workload: shopWorkload({ currentStepIndex: 0, reason: 'WaitingForPods', message: 'Step 1/5 waits.' }),
  });
  expect(changeLines(undefined, first)).toEqual([
    'gd/shop: Progressing, step 1/5, 4 of 4 pods ready, 1 updated: WaitingForPods: Step 1/5 waits.',
    'pod shop-a: Running, in service, revision 1, gate open',
  ]);
  expect(changeLines(first, first)).toEqual([]);
});

test('what has changed, and nothing else', () => {
  const workload = shopWorkload({ currentStepIndex: 4 });
  const before = view({ workload, pods: [...one, shopPod({ name: 'b' })], runs: [shopRun(4, 'Running')] });
  const after = view({
    workload,
    pods: [shopPod({ name: 'a', revision: updateName, gate: 'False', restarts: 1 })],
    runs: [shopRun(4, 'Failed', { value: '0.31' })],
  });
  expect(changeLines(before, after)).toEqual([
    `hook of step 5 ${updateName}-4-smoke-test: Failed: error-rate: 0.31, needs asFloat(result) < 0.05, 1 of 1 call (1 failed, 0 tolerated)`,
    'pod shop-a: Running, not in service, revision 2, gate shut, 1 restarts',
    'pod shop-b: deleted',
  ]);
});
