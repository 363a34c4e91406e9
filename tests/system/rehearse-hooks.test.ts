import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { RehearsalReport } from '#rehearse/rehearsal-report.ts';
import { hookOf, rehearseObjects, shop } from '../support/rehearsed-shop.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

const rehearsed = (objects: readonly object[], ...args: readonly string[]) =>
  rehearseObjects(folder.path, objects, args);

const checked = shop({ strategy: { canary: { steps: [{ hook: { templateName: 'check' } }] } } });

test('all calls of a hook are reported, although its status keeps ten', async () => {
  const hook = hookOf('check', { count: 30, interval: '5s', failureLimit: 30 });
  const args = ['--hook', 'check=fail-after:20'];
  const { out } = await rehearsed([checked, hook], ...args);
  expect(out).toMatch(/call 1 of 20 that pass/);
  expect(out).toMatch(/^ +0:1\d {2}hook check: 22 more calls, 5 of them did not pass \(-o json has each\)$/m);
  expect(out).toMatch(/call 30 fails/);
  const json = await rehearsed([checked, hook], ...args, '-o', 'json');
  const { rehearsals } = JSON.parse(json.out) as { readonly rehearsals: readonly RehearsalReport[] };
  expect(rehearsals[0]?.hooks[0]?.calls).toHaveLength(30);
});

const updatedInPlace = shop({
  strategy: { type: 'InplaceUpdate', maxUnavailable: 1 },
  spec: { replicas: 2, postInplaceUpdateStrategy: { hook: { templateName: 'after' } } },
});

test('hooks after the update come to a verdict, which the report has', async () => {
  const hook = hookOf('after', { count: 2, interval: '60s' });
  const { out, code } = await rehearsed([updatedInPlace, hook], '--hook', 'after=fail-after:2');
  expect(out).toMatch(/^The release would complete after \d+s\.$/m);
  expect(out).toMatch(/^ +1:0\d {2}hook after, age: Failed: call 4 fails/m);
  expect(out).toMatch(/HookTemplate after failed for 2 pods; a post-update hook does not stop the release/);
  expect(code).toBe(0);
});

test('a hook after the update that never passes ends with the rehearsal', async () => {
  const hook = hookOf('after', { count: 0, interval: '10m' });
  const { out, code } = await rehearsed([updatedInPlace, hook]);
  expect(out).toMatch(/HookTemplate after came to no verdict for 2 pods; /);
  expect(code).toBe(0);
});

test('a hook that is not called is not assumed to pass', async () => {
  const steps = [{ partition: 4 }, { pause: {} }, { hook: { templateName: 'check' } }];
  const objects = [shop({ strategy: { canary: { steps } } }), hookOf('check')];
  const early = await rehearsed(objects, '--approve', 'never');
  expect(early.out).not.toMatch(/assumed to pass/);
  expect((await rehearsed(objects)).out).toMatch(/HookTemplate check was assumed to pass/);
});
