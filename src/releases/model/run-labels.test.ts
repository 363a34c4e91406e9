import fc from 'fast-check';
import { expect, test } from 'vitest';
import { originOf, runLabels } from './run-labels.ts';
import { fitted } from '#kube/workload/fitted.ts';

test('the labels of the seed and our own', () => {
  const labels = runLabels({
    kind: 'GameDeployment',
    workload: 'gd',
    revision: 'gd-9d78dd5db',
    point: 'canary-step',
    step: 4,
    release: 'abc',
  });
  expect(labels).toEqual({
    'gamedeployment-revision': 'gd-9d78dd5db',
    'gamedeployment-type': 'Step',
    'step-index': '4',
    'boathook.dev/step': '4',
    'boathook.dev/release': 'abc',
    'boathook.dev/workload-kind': 'GameDeployment',
    'boathook.dev/workload': 'gd',
    'boathook.dev/revision': 'gd-9d78dd5db',
    'boathook.dev/hook-point': 'canary-step',
  });
  expect(originOf({ metadata: { labels } })).toMatchObject({
    point: 'canary-step',
    step: '4',
    release: 'abc',
  });
});

test('runs of pods', () => {
  const origin = {
    kind: 'GameStatefulSet',
    workload: 'web',
    revision: 'web-1',
    point: 'pre-delete',
    instance: '3',
    podUid: 'f769a5ba',
  };
  const labels = runLabels(origin as Parameters<typeof runLabels>[0]);
  expect(labels).toMatchObject({
    'gamestatefulset-type': 'PreDelete',
    'gamestatefulset-revision': 'web-1',
    'boathook.dev/instance': '3',
    'boathook.dev/pod-uid': 'f769a5ba',
  });
  expect(originOf({ metadata: { labels } })).toMatchObject({ instance: '3', podUid: 'f769a5ba' });
});

test('no label is too long, ends in a letter or digit, and differs where the texts do', () => {
  const texts = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,150}[a-z0-9]$/);
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      expect(fitted(left)).toMatch(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/);
      expect(fitted(left) === fitted(right)).toBe(left === right);
      if (left.length <= 63) expect(fitted(left)).toBe(left);
    }),
  );
});
