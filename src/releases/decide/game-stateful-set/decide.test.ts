import { expect, test } from 'vitest';
import { nameOf } from '#kube/object.ts';
import { ordinalOf } from '#kube/workload/stateful-identity.ts';
import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { decide, parallel, podFrom, setOf, snapshotOf, told } from './testing/objects.ts';
import { canary, claimed, five, known, rolling, run, steps, surging, type } from './testing/rows.ts';

test.for<readonly [string, JsonObject, JsonObject, readonly string[], JsonObject]>([
  [
    'the row of a partition',
    rolling({ partition: 3 }),
    known,
    ['0 old', '1 old', '2 old', '3 new', '4 new'],
    {
      replicas: 5,
      readyReplicas: 5,
      currentReplicas: 3,
      updatedReplicas: 2,
      updatedReadyReplicas: 2,
      phase: 'Complete',
    },
  ],
  [
    'in the end the new revision is the current one',
    {},
    known,
    five('new'),
    {
      currentReplicas: 5,
      updatedReplicas: 5,
      currentRevision: 'new',
      updateRevision: 'new',
      phase: 'Complete',
    },
  ],
  [
    'the old revision is remembered while a pod that the partition keeps is missing',
    surging(1, { partition: 1 }),
    { ...known, currentRevision: 'old' },
    ['1 new', '2 new', '3 new', '4 new', '5 new surge'],
    { currentReplicas: 0, updatedReplicas: 5, currentRevision: 'old', updateRevision: 'new' },
  ],
  [
    'a new revision does not empty the counters',
    {},
    { updateRevision: 'old', currentRevision: 'old' },
    five('old'),
    { replicas: 5, readyReplicas: 5, currentReplicas: 5, updatedReplicas: 0, updatedReadyReplicas: 0 },
  ],
  [
    'the selector is sorted and complete',
    {
      selector: {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [{ key: 'aa', operator: 'In', values: ['y', 'x'] }],
      },
    },
    known,
    [],
    { labelSelector: 'a=1,aa in (x,y),b=2', replicas: 0, readyReplicas: 0, currentReplicas: 0 },
  ],
  [
    'surge counts as pods, not as steps',
    {
      ...parallel,
      updateStrategy: { canary: { steps }, rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
    },
    canary(0).status ?? {},
    [...five('old'), '5 new surge', '6 new surge'],
    { replicas: 7, updatedReadyReplicas: 2, currentStepIndex: 0, step: '1/3' },
  ],
])('%s', ([, spec, status, pods, expected]) => {
  const set = setOf(spec, status);
  const views = pods.map((each) => podFrom(set, each));
  expect(decide(snapshotOf(set, views)).status).toMatchObject(expected);
});

test('a thousand pods take no time to speak of', () => {
  const replicas = 1000;
  const set = setOf({ ...parallel, ...claimed, replicas, ...rolling({}) }, known);
  const pods = Array.from({ length: replicas }, (_, ordinal) => podFrom(set, `${ordinal} old`));
  let asked = 0;
  const claim = (name: string): KubeObject => {
    asked += 1;
    return { metadata: { name } };
  };
  const { actions } = decide(snapshotOf(set, pods, { claim }));
  expect(actions).toHaveLength(250);
  expect(asked).toBeLessThanOrEqual(replicas);
});

test('all three retry flags are honoured and cleared', () => {
  const retry = { hook: { templateName: 'test' }, retry: true };
  const set = setOf(
    {
      ...type('InplaceUpdate'),
      preDeleteUpdateStrategy: retry,
      preInplaceUpdateStrategy: retry,
      postInplaceUpdateStrategy: retry,
    },
    known,
  );
  const runs = [run('pre-inplace', 4, 'Failed')];
  const { actions, spec } = decide(
    snapshotOf(
      set,
      five('old').map((each) => podFrom(set, each)),
      { runs },
    ),
  );
  expect(actions.map(told)).toContain('forget pre-inplace-old-4');
  expect(spec).toEqual({
    preDeleteUpdateStrategy: { retry: false },
    preInplaceUpdateStrategy: { retry: false },
    postInplaceUpdateStrategy: { retry: false },
  });
});

test('a name that leaves no room for labels is cut, and pods keep their ordinal', () => {
  const set = setOf({}, {}, { name: 'w'.repeat(62) });
  const [action] = decide(snapshotOf(set, [])).actions;
  const pod = action?.type === 'create-pod' ? action.pod : {};
  expect(nameOf(pod)).toMatch(/^w{50,}-[a-z0-9]{8,10}-0$/);
  expect(nameOf(pod)).toHaveLength(63);
  expect(ordinalOf(set, pod)).toBe(0);
});

test('a set that is being deleted asks about all of its pods', () => {
  const set = setOf(
    { preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } },
    {},
    {
      deletionTimestamp: '2026-01-05T12:00:00Z',
    },
  );
  const pods = ['0 old', '1 old deleting held'].map((each) => podFrom(set, each));
  expect(decide(snapshotOf(set, pods)).actions.map(told)).toEqual([
    'mark scale-down web-0',
    'ask predelete-old-0-test',
    'ask predelete-old-1-test',
  ]);
});
