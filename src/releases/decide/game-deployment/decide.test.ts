import fc from 'fast-check';
import { expect, test } from 'vitest';
import { snapshotFromCase, type Given } from '#releases/decide/testing/cases/case-snapshot.ts';
import { releasePodOf, type ReleasePod } from '#releases/decide/pod-view.ts';
import type { Decision } from '#releases/decide/snapshot.ts';
import { decideGameDeployment } from './decide.ts';

const types = ['RollingUpdate', 'InplaceUpdate', 'InplaceIfPossible'] as const;

/** A pod in any state that a release can leave it in. */
const podWords = fc.constantFrom(
  'old',
  'old unready',
  'old Pending',
  'old leaving:rolling-update',
  'old asked',
  'new',
  'new unready',
  'new gate:shut state:new@-9 runs:old',
  'new gate:shut state:new@-9 runs:new',
  'new leaving:scale-down',
  'old deleting',
  'new Failed',
);

const situations = fc
  .record({
    replicas: fc.nat({ max: 8 }),
    partition: fc.nat({ max: 9 }),
    maxUnavailable: fc.nat({ max: 3 }),
    maxSurge: fc.nat({ max: 2 }),
    type: fc.constantFrom(...types),
    hook: fc.boolean(),
    steps: fc.boolean(),
    pods: fc.array(podWords, { maxLength: 10 }),
  })
  .map(({ replicas, partition, maxUnavailable, maxSurge, type, hook, steps, pods }) => {
    const canary = { canary: { steps: [{ partition }, { pause: {} }] } };
    const given: Given = {
      spec: {
        replicas,
        updateStrategy: { type, maxUnavailable, maxSurge, ...(steps ? canary : { partition }) },
        ...(hook ? { preDeleteUpdateStrategy: { hook: { templateName: 'check' } } } : {}),
      },
      ...(steps ? { step: 0 } : {}),
      templates: { check: {} },
      pods: pods.map((words, at) => `p${at} ${words}`),
    };
    return { given, partition: Math.min(partition, replicas), replicas, maxUnavailable };
  });

type StatefulRelease = { readonly views: readonly ReleasePod[]; readonly decision: Decision };

function look(given: Given): StatefulRelease {
  const { snapshot, spec } = snapshotFromCase(given);
  return { views: snapshot.pods.map(releasePodOf), decision: decideGameDeployment(snapshot, spec) };
}

const goesAway = ({ decision }: StatefulRelease): ReadonlySet<ReleasePod> =>
  new Set(
    decision.actions.flatMap((action) =>
      action.type === 'delete-pod' || action.type === 'begin-in-place' ? [releasePodOf(action.pod)] : [],
    ),
  );

const updates = ({ decision }: StatefulRelease): number =>
  decision.actions.filter(
    (action) =>
      action.type === 'begin-in-place' ||
      (action.type === 'delete-pod' && action.event === 'UpdatePodReCreate'),
  ).length;

test('updates never leave fewer old pods than the partition keeps', () => {
  fc.assert(
    fc.property(situations, ({ given, partition }) => {
      const seen = look(given);
      const old = seen.views.filter((view) => view.isActive && view.revision === 'old').length;
      const left = old - updates(seen);
      expect(updates(seen) === 0 || left >= partition).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('updates never take more pods out of service than the budget allows', () => {
  fc.assert(
    fc.property(situations, ({ given, replicas, maxUnavailable }) => {
      const seen = look(given);
      if (updates(seen) === 0) return;
      const gone = goesAway(seen);
      const isTaken = ({ leaving }: ReleasePod): boolean =>
        leaving === 'scale-down' || leaving === 'requested';
      const counted = seen.views.filter((view) => view.isActive && !isTaken(view));
      const inService = counted.filter((view) => view.isInService);
      const taken = inService.filter((view) => gone.has(view)).length;
      expect(taken === 0 || inService.length - taken >= replicas - maxUnavailable).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('nobody is created and removed, or removed twice, at one look', () => {
  fc.assert(
    fc.property(situations, ({ given }) => {
      const { actions } = look(given).decision;
      const removed = actions.flatMap((action) => (action.type === 'delete-pod' ? [action.pod] : []));
      expect(new Set(removed).size).toBe(removed.length);
      const isMade = actions.some((action) => action.type === 'create-pods');
      const isScaledDown = actions.some(
        (action) =>
          action.type === 'delete-pod' &&
          action.event === 'Delete' &&
          releasePodOf(action.pod).leaving === undefined,
      );
      expect(isMade && isScaledDown).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('the same look comes to the same decision', () => {
  fc.assert(
    fc.property(situations, ({ given }) => {
      const { snapshot, spec } = snapshotFromCase(given);
      expect(decideGameDeployment(snapshot, spec)).toEqual(decideGameDeployment(snapshot, spec));
    }),
  );
});

test('a thousand pods are judged in a few milliseconds', () => {
  const words = (at: number): string => `${at < 400 ? 'new' : 'old'}${at % 7 === 0 ? ' unready' : ''}`;
  const { snapshot, spec } = snapshotFromCase({
    spec: {
      replicas: 1000,
      preDeleteUpdateStrategy: { hook: { templateName: 'check' } },
      updateStrategy: { type: 'InplaceUpdate', canary: { steps: [{ partition: '50%' }] } },
    },
    step: 0,
    pods: Array.from({ length: 1000 }, (_none, at) => `p${at} ${words(at)}`),
    runs: Array.from({ length: 20 }, (_none, at) => `pre-delete old p${500 + at} Running`),
    templates: { check: {} },
  });
  const times = Array.from({ length: 60 }, () => {
    const start = process.threadCpuUsage();
    decideGameDeployment(snapshot, spec);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  // Processor time, and the best of many: the machine may be busy. What grows with the square of the pods takes far longer.
  expect(Math.min(...times)).toBeLessThan(5);
});
