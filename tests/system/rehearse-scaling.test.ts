import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { expectBadInput } from '../support/rehearsal-pages.ts';
import { budgetOfShop, hookOf, rehearseObjects, shop } from '../support/rehearsed-shop.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

const guarded = { preDeleteUpdateStrategy: { hook: { templateName: 'check' } } };
const slowHook = hookOf('check', { count: 2, interval: '60s' });

test('pods that a failing hook keeps are in service, and the budget is kept', async () => {
  const { out, code } = await rehearseObjects(
    folder.path,
    [shop({ spec: guarded }), hookOf('check'), budgetOfShop(4)],
    ['--change', 'replicas=2', '--hook', 'check=fail'],
  );
  expect(out).toMatch(/^ +0:00 {2}scaling {2}does not end {2}5 pods in service, 2 wanted$/m);
  expect(out).toMatch(/^Lowest availability: 5 pods in service, 2 wanted; /m);
  expect(out).toMatch(/^PodDisruptionBudget shop wants 4 in service and is kept\.$/m);
  expect(code).toBe(1);
});

test('fewer pods than a budget wants are there from the time at which pods are deleted', async () => {
  const { out, code } = await rehearseObjects(
    folder.path,
    [shop({ spec: guarded }), slowHook, budgetOfShop(4)],
    ['--change', 'replicas=2'],
  );
  expect(out).toMatch(/^ +0:00 {2}scaling {2}takes 1m {2}2 of 2 pods in service$/m);
  expect(out).toMatch(/^Lowest availability: 2 of 2 pods in service at 1:0\d; /m);
  expect(out).toMatch(/^PodDisruptionBudget shop cannot be met: it wants 4 .* there are only 2 pods/m);
  expect(out).not.toMatch(/lower that/);
  expect(code).toBe(0);
});

test('pods that already have the image do not begin to crash', async () => {
  const args = ['--change', 'replicas=6', '--pods', 'crash=100%'];
  expectBadInput(await rehearseObjects(folder.path, [shop({})], args), /no image is changed/);
  const { out, code } = await rehearseObjects(folder.path, [shop({})], [...args, '--change', 'image=shop:1']);
  expect(out).toMatch(/^Lowest availability: 5 of 6 pods in service/m);
  expect(code).toBe(0);
});

test('without a new template there are no steps, and no hook of a step is called', async () => {
  const steps = [{ partition: 3 }, { hook: { templateName: 'check' } }, { pause: {} }];
  const { out, code } = await rehearseObjects(
    folder.path,
    [shop({ strategy: { canary: { steps } } }), hookOf('check')],
    ['--change', 'replicas=6'],
  );
  expect(out).toMatch(/^6 pods, RollingUpdate, 0 canary steps, seed 1$/m);
  expect(out).not.toMatch(/ step \d|was assumed to pass/);
  expect(code).toBe(0);
});
