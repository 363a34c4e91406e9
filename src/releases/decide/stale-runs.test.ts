import { expect, test } from 'vitest';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { runLabels } from '#releases/model/run-labels.ts';
import { releasePodOf, type ReleasePod } from './pod-view.ts';
import { staleRuns } from './stale-runs.ts';

const podOf = (uid: string): ReleasePod =>
  releasePodOf({
    metadata: { name: `pod-${uid}`, uid, labels: { 'controller-revision-hash': 'old', id: 'x' } },
  });

const runAbout = (name: string, podUid?: string): KubeObject => ({
  metadata: {
    name,
    labels: runLabels({
      kind: 'GameDeployment',
      workload: 'g',
      revision: 'old',
      point: 'pre-delete',
      instance: 'x',
      ...(podUid === undefined ? {} : { podUid }),
    }),
  },
});

test('of several pods of one instance, as copies are, each keeps its run; those of pods that are gone are stale', () => {
  const runs = [runAbout('a', 'a'), runAbout('b', 'b'), runAbout('gone', 'c'), runAbout('older')];
  const stale = staleRuns({
    runs,
    pods: [podOf('a'), podOf('b')],
    instanceOf: () => 'x',
    targetRevision: 'new',
    busy: new Set(['pod-a', 'pod-b']),
    retry: new Set(),
  });
  expect(stale.map((action) => (action.type === 'delete-run' ? nameOf(action.run) : action.type))).toEqual([
    'gone',
  ]);
});
