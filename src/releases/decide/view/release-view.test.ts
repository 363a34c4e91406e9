import { expect, test } from 'vitest';
import { parseJson, printJson } from '#base/json-text.ts';
import type { JsonObject } from '#base/json.ts';
import { releaseViewOf } from './release-view.ts';
import {
  ago,
  pauseFrom,
  shopPod,
  shopRun,
  shopSnapshot,
  shopWorkload,
  stableName,
  updateName,
} from './testing/shop.ts';

const statesOf = (status: JsonObject, runs: Parameters<typeof shopRun>[] = []): string =>
  releaseViewOf(shopSnapshot({ workload: shopWorkload(status), runs: runs.map((each) => shopRun(...each)) }))
    .steps.map(({ state }) => state)
    .join(', ');

test.for([
  ['the first step', { currentStepIndex: 0 }, [], 'current, to come, to come, to come, to come'],
  ['a step in the middle', { currentStepIndex: 2 }, [], 'done, done, current, to come, to come'],
  ['a hook that runs', { currentStepIndex: 4 }, [[4, 'Running']], 'done, done, done, done, current'],
  ['a hook that has failed', { currentStepIndex: 4 }, [[4, 'Failed']], 'done, done, done, done, failed'],
  [
    'a failed hook that runs again',
    { currentStepIndex: 4 },
    [
      [4, 'Failed'],
      [4, 'Running', { suffix: '-2' }],
    ],
    'done, done, done, done, current',
  ],
  [
    'a hook of an earlier release',
    { currentStepIndex: 4 },
    [[4, 'Failed', { release: 'r1' }]],
    'done, done, done, done, current',
  ],
  [
    'past a hook that has passed',
    { currentStepIndex: 5 },
    [[4, 'Successful']],
    'done, done, done, done, done',
  ],
  [
    'past a hook that has failed',
    { currentStepIndex: 5 },
    [[4, 'Failed']],
    'done, done, done, done, skipped',
  ],
  [
    'past a hook that the controller has stopped',
    { currentStepIndex: 5 },
    [[4, 'Successful', { isStopped: true }]],
    'done, done, done, done, skipped',
  ],
  [
    'past a failed hook whose run is not kept',
    {
      currentStepIndex: 5,
      history: [
        {
          releaseID: 'r2',
          revision: updateName,
          outcome: 'Complete',
          verdicts: [{ step: 5, hookRun: 'x', phase: 'Failed' }],
        },
      ],
    },
    [],
    'done, done, done, done, skipped',
  ],
  [
    'past a hook that was never run',
    {
      currentStepIndex: 5,
      history: [
        {
          releaseID: 'r2',
          revision: updateName,
          outcome: 'Complete',
          verdicts: [],
        },
      ],
    },
    [],
    'done, done, done, done, skipped',
  ],
  [
    'aborted at a step',
    { currentStepIndex: 2, canary: { abortedRevision: updateName } },
    [],
    'done, done, failed, to come, to come',
  ],
] as const)('the states of the steps: %s', ([, status, runs, states]) => {
  expect(
    statesOf(
      status,
      runs.map((each) => [...each] as Parameters<typeof shopRun>),
    ),
  ).toBe(states);
});

test('the current pause has its end, and a partition its target', () => {
  const workload = shopWorkload({
    currentStepIndex: 3,
    phase: 'Paused',
    pauseConditions: pauseFrom('PausedByCanaryPauseStep', 18),
  });
  const { steps } = releaseViewOf(shopSnapshot({ workload }));
  expect(steps[3]).toEqual({
    number: 4,
    type: 'pause',
    title: 'pause 1m',
    state: 'current',
    endsAt: ago(-42),
  });
  expect(steps[2]).toMatchObject({ title: 'partition 2', target: 2 });
  expect(steps[1]).toMatchObject({ title: 'pause', state: 'done' });
});

test('pods and hook runs are below their revision, the newest first', () => {
  const { revisions } = releaseViewOf(
    shopSnapshot({
      workload: shopWorkload({ currentStepIndex: 4 }),
      runs: [shopRun(4, 'Failed', { value: '0.31' }), shopRun(4, 'Failed', { release: 'r1' })],
    }),
  );
  expect(revisions.map(({ name, number, roles, replicas }) => ({ name, number, roles, replicas }))).toEqual([
    { name: updateName, number: 2, roles: ['update'], replicas: { total: 1, inService: 1 } },
    { name: stableName, number: 1, roles: ['stable'], replicas: { total: 3, inService: 3 } },
  ]);
  const [update] = revisions;
  expect(update?.images).toEqual([{ container: 'shop', image: 'registry.example/shop:1.5' }]);
  expect(update?.runs.map(({ name }) => name)).toEqual([`${updateName}-4-smoke-test`]);
  expect(update?.runs[0]).toMatchObject({
    step: 5,
    phase: 'Failed',
    metrics: [
      {
        name: 'error-rate',
        value: '0.31',
        successCondition: 'asFloat(result) < 0.05',
        calls: 1,
        plannedCalls: 1,
        failed: 1,
        failureLimit: 0,
      },
    ],
  });
});

test('a pod of a revision that was deleted, and one that does not start', () => {
  const { revisions } = releaseViewOf(
    shopSnapshot({
      pods: [
        shopPod({ name: 'a', revision: 'shop-gone', waiting: 'CrashLoopBackOff', restarts: 7 }),
        shopPod({ name: 'b', revision: updateName, gate: 'False' }),
      ],
    }),
  );
  const rows = revisions.flatMap(({ number, pods }) => pods.map((pod) => ({ number, ...pod })));
  expect(rows).toMatchObject([
    { number: 2, status: 'Running', isInService: false, gate: 'shut' },
    { number: 0, status: 'CrashLoopBackOff', isInService: false, restarts: 7 },
  ]);
});

test('ordinals are counted as numbers', () => {
  const pods = [10, 2, 1].map((ordinal) => shopPod({ name: String(ordinal) }));
  const { revisions } = releaseViewOf(shopSnapshot({ pods }));
  expect(revisions.flatMap(({ pods }) => pods.map(({ name }) => name))).toEqual([
    'shop-1',
    'shop-2',
    'shop-10',
  ]);
});

test('the view is plain JSON', () => {
  const view = releaseViewOf(shopSnapshot({ runs: [shopRun(4, 'Running')] }));
  expect(parseJson(printJson(view as unknown as JsonObject))).toEqual(view);
});
