import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { budgetOfShop, hookOf, rehearseObjects, shop } from '../support/rehearsed-shop.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

const rehearsed = (objects: readonly object[], ...args: readonly string[]) =>
  rehearseObjects(folder.path, objects, args);

test('commands name the namespace', async () => {
  const objects = [
    shop({ strategy: { canary: { steps: [{ hook: { templateName: 'check' } }] } } }),
    hookOf('check'),
  ];
  const placed = objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace: 'games' },
  }));
  const { out } = await rehearsed(placed, '--hook', 'check=fail');
  expect(out).toContain('boathook release retry gd/shop -n games');
  const here = await rehearsed(objects, '--hook', 'check=fail');
  expect(here.out).toMatch(/boathook release retry gd\/shop$/m);
});

test('times of a message are those of the timeline', async () => {
  const strategy = { canary: { steps: [{ partition: 4 }, { pause: { duration: 600 } }] } };
  const { out, code } = await rehearsed([shop({ strategy })], '--horizon', '5m');
  expect(out).toMatch(/^The release would not end within 5m at step 2\/2: .* until 10:0\d/m);
  expect(out).not.toContain('2026-');
  expect(code).toBe(4);
});

test('a workload that is like that already is named and left out', async () => {
  const { out, error, code } = await rehearsed(
    [shop({}), shop({ name: 'other', spec: { replicas: 6 } })],
    '--change',
    'replicas=6',
  );
  expect(out).toMatch(/^Rehearsal of gd\/shop /);
  expect(out).not.toContain('gd/other');
  expect(error).toMatch(/GameDeployment other is like that already and is not rehearsed$/m);
  expect(code).toBe(0);
});

test('objects that nothing acts on here are named, also without a name', async () => {
  const scaleTargetRef = { apiVersion: 'tkex.tencent.com/v1alpha1', kind: 'GameDeployment', name: 'shop' };
  const { out, code } = await rehearsed([
    shop({}),
    budgetOfShop(1),
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'more' },
      spec: { scaleTargetRef, maxReplicas: 9 },
    },
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard: { pods: '2' } } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
    { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' },
  ]);
  expect(out.slice(out.indexOf('Not run here'))).toBe(
    'Not run here:\n  - Kustomization (no name)\n  - HorizontalPodAutoscaler more\n  - ResourceQuota few\n',
  );
  expect(code).toBe(0);
});
