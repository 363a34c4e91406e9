import { expect, test } from 'vitest';
import fc from 'fast-check';
import { textAt, type JsonObject } from '#base/json.ts';
import { withMeta } from '#kube/object.ts';
import { actAnnotation, actTargetOf, printAct, type ActVerb } from '#releases/model/act.ts';
import { parallel, setOf } from './testing/objects.ts';
import { World } from './testing/world.ts';

/** A set that is there, in service, and about to get a new template. */
function begun(spec: JsonObject): World {
  const world = new World(setOf(spec));
  world.settle();
  world.done.length = 0;
  world.revision = 'new';
  world.fewestInService = Infinity;
  world.mostUpdated = 0;
  return world;
}

const strategy = (type: string, more: JsonObject = {}): JsonObject => ({
  updateStrategy: { type, rollingUpdate: { partition: 3, maxUnavailable: 1, ...more } },
});

test('one pod becomes three', () => {
  const world = new World(setOf({ ...parallel, replicas: 1 }));
  world.settle();
  world.edit({ replicas: 3 });
  world.settle();
  expect(world.done).toEqual([
    'create web-0 old',
    'open web-0',
    'create web-1 old',
    'create web-2 old',
    'open web-1',
    'open web-2',
  ]);
  expect(world.row).toBe('3/3/3/3');
});

test.for<readonly [string, string, readonly string[], readonly number[]]>([
  [
    'by new pods',
    'RollingUpdate',
    ['delete web-4', 'create web-4 new', 'open web-4', 'delete web-3', 'create web-3 new', 'open web-3'],
    [0, 0, 0, 0, 0],
  ],
  [
    'in place',
    'InplaceUpdate',
    ['in place web-4', 'open web-4', 'in place web-3', 'open web-3'],
    [0, 0, 0, 1, 1],
  ],
  ['by hot patch', 'HotPatchUpdate', ['UpdatePodHotPatch web-4', 'UpdatePodHotPatch web-3'], [0, 0, 0, 0, 0]],
])('%s', ([, type, done, restarts]) => {
  for (const policy of [{}, parallel]) {
    const world = begun({ ...strategy(type), ...policy });
    world.settle();
    expect(world.done).toEqual(done);
    expect(world.row).toBe('5/5/3/2');
    expect(world.restarts()).toEqual(restarts);
    expect(world.fewestInService).toBe(type === 'HotPatchUpdate' ? 5 : 4);
    world.edit(strategy(type, { partition: 0 }));
    world.settle();
    expect(world.row).toBe('5/5/5/5');
  }
});

const steps = [
  { partition: 3 },
  { pause: {} },
  { partition: 1 },
  { pause: { duration: 60 } },
  { hook: { templateName: 'test' } },
  { pause: {} },
];
const canary = { ...parallel, updateStrategy: { canary: { steps }, rollingUpdate: { maxUnavailable: 2 } } };
const goOn = { updateStrategy: { paused: false } };

test('a canary from its first step to its last', () => {
  const world = begun(canary);
  expect(world.status).toMatchObject({ currentStepIndex: 6, canary: { revision: 'old' } });
  expect(world.settle()).toMatchObject({
    currentStepIndex: 1,
    phase: 'Paused',
    canary: { revision: 'old' },
    pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }],
  });
  expect(world.set).toMatchObject({ spec: { updateStrategy: { paused: true } } });
  expect(world.row).toBe('5/5/3/2');
  world.edit(goOn);
  expect(world.settle()).toMatchObject({ currentStepIndex: 3, step: '4/6' });
  expect(world.row).toBe('5/5/1/4');
  world.edit(goOn);
  expect(world.settle()).toMatchObject({ currentStepIndex: 3 });
  expect(world.wait(60)).toMatchObject({ currentStepIndex: 5, phase: 'Paused' });
  expect([...world.runs.keys()]).toEqual(['new-4-test']);
  expect(world.row).toBe('5/5/1/4');
  expect(world.mostUpdated).toBe(4);
  world.edit(goOn);
  expect(world.settle()).toMatchObject({
    currentStepIndex: 6,
    phase: 'Complete',
    canary: { revision: 'new' },
  });
  expect(world.row).toBe('5/5/5/5');
  expect(world.fewestInService).toBe(3);
});

test('requests promote, retry and abort it, and the history tells of it', () => {
  const world = begun(canary);
  const request = (id: string, verb: ActVerb): JsonObject => {
    const target = actTargetOf(world.set);
    const act = printAct({ id, verb, target, by: 'alice', time: '2026-01-05T12:00:00Z' });
    world.set = withMeta(world.set, { annotations: { [actAnnotation]: act } });
    return world.settle();
  };
  world.settle();
  expect(request('r1', 'promote')).toMatchObject({ currentStepIndex: 3, phase: 'Paused' });
  world.verdict = 'Failed';
  expect(request('r2', 'promote')).toMatchObject({
    currentStepIndex: 4,
    canary: { currentStepHookRun: 'new-4-test' },
  });
  expect(request('r3', 'retry')).toMatchObject({
    currentStepIndex: 4,
    canary: { retries: 1, currentStepHookRun: 'new-4-test-2' },
  });
  expect(request('r4', 'abort')).toMatchObject({
    reason: 'Aborted',
    updatedReplicas: 0,
    history: [
      {
        revision: 'new',
        outcome: 'Aborted',
        verdicts: [{ hookRun: 'new-4-test' }, { hookRun: 'new-4-test-2' }],
        acts: [{ id: 'r1' }, { id: 'r2' }, { id: 'r3' }, { id: 'r4' }],
      },
      { revision: 'old', outcome: 'Complete' },
    ],
  });
  expect(world.row).toMatch(/^5\/5\//);
});

test('a bad hook stops it, and the old template takes it back at once', () => {
  const world = begun(canary);
  world.verdict = 'Failed';
  world.settle();
  world.edit(goOn);
  world.settle();
  expect(world.wait(60)).toMatchObject({
    currentStepIndex: 4,
    pauseConditions: [{ reason: 'PausedByStepBasedHook' }],
  });
  world.revision = 'old';
  expect(world.settle()).toMatchObject({ currentStepIndex: 6, phase: 'Complete', updateRevision: 'old' });
  expect(world.row).toBe('5/5/5/5');
  // The verdict stays for people to look at.
  expect([...world.runs.values()].map((run) => textAt(run, 'status', 'phase'))).toEqual(['Failed']);
  expect(world.fewestInService).toBe(3);
});

test('onFailure: Abort takes the updated pods back', () => {
  const abort = [{ partition: 3 }, { hook: { templateName: 'test', onFailure: 'Abort' } }];
  const world = begun({ ...parallel, updateStrategy: { canary: { steps: abort } } });
  world.verdict = 'Failed';
  expect(world.settle()).toMatchObject({
    phase: 'Blocked',
    canary: { abortedRevision: 'new', revision: 'old' },
  });
  expect(world.row).toBe('5/5/5/0');
});

test('a canary with surge comes to its end, and loses nobody', () => {
  const world = begun({
    ...parallel,
    updateStrategy: {
      canary: { steps: [{ partition: 3 }, { pause: {} }] },
      rollingUpdate: { maxSurge: 2, maxUnavailable: 0 },
    },
  });
  expect(world.settle()).toMatchObject({ currentStepIndex: 1, replicas: 5 });
  expect(world.row).toBe('5/5/3/2');
  world.edit(goOn);
  expect(world.settle()).toMatchObject({ phase: 'Complete', replicas: 5 });
  expect(world.row).toBe('5/5/5/5');
  expect(world.fewestInService).toBe(5);
});

test('a broken release is healed by another template', () => {
  for (const policy of [{}, parallel]) {
    const world = begun({ ...policy, updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } });
    world.broken.add('new');
    world.settle();
    expect(world.row).toBe('5/4/4/1');
    world.revision = 'third';
    world.settle();
    expect(world.row).toBe('5/5/5/5');
    expect(world.fewestInService).toBe(4);
  }
});

test('with grace, a pod is out of service first, and its hooks are asked before and after', () => {
  const asks = { hook: { templateName: 'test' } };
  const world = begun({
    ...strategy('InplaceUpdate'),
    updateStrategy: {
      type: 'InplaceUpdate',
      inPlaceUpdateStrategy: { gracePeriodSeconds: 3 },
      rollingUpdate: { partition: 4, maxUnavailable: 1 },
    },
    preInplaceUpdateStrategy: asks,
    postInplaceUpdateStrategy: asks,
  });
  world.settle();
  world.wait(3);
  expect(world.done).toEqual([
    'annotate web-4',
    'ask preinplace-old-4-test',
    'in place web-4',
    'forget preinplace-old-4-test',
    'label web-4',
    'open web-4',
    'ask postinplace-new-4-test',
    'annotate web-4',
    'forget postinplace-new-4-test',
  ]);
  expect(world.row).toBe('5/5/4/1');
});

test('replicas set to 0 and back in the middle', () => {
  const world = begun(canary);
  world.settle();
  world.edit({ replicas: 0 });
  world.settle();
  expect(world.pods.size).toBe(0);
  world.edit({ replicas: 5 });
  world.settle();
  expect(world.status).toMatchObject({ replicas: 5, readyReplicas: 5 });
});

const small = fc.nat({ max: 3 });
const situations = fc.record({
  replicas: fc.integer({ min: 1, max: 7 }),
  partition: fc.nat({ max: 8 }),
  maxUnavailable: fc.integer({ min: 1, max: 4 }),
  maxSurge: small,
  type: fc.constantFrom('RollingUpdate', 'InplaceUpdate', 'InplaceIfPossible'),
  policy: fc.constantFrom('OrderedReady', 'Parallel'),
  reserveOrders: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 3 }),
  hasHook: fc.boolean(),
  deaths: fc.array(small, { maxLength: 8 }),
});

test('whatever the strategy, it ends, within its budget and its partition, whenever the process dies', () => {
  const property = fc.property(situations, (given) => {
    const { replicas, type, policy, reserveOrders, hasHook, deaths, ...rollingUpdate } = given;
    const { partition, maxUnavailable, maxSurge } = rollingUpdate;
    const world = begun({
      replicas,
      podManagementPolicy: policy,
      reserveOrders,
      updateStrategy: { type, rollingUpdate },
      ...(hasHook ? { preDeleteUpdateStrategy: { hook: { templateName: 'test' } } } : {}),
    });
    world.deaths = deaths;
    world.settle();
    const updated = replicas - Math.min(partition, replicas);
    expect(world.status).toMatchObject({ phase: 'Complete', replicas, updatedReplicas: updated });
    expect(world.fewestInService).toBeGreaterThanOrEqual(replicas - maxUnavailable);
    expect(world.mostUpdated).toBeLessThanOrEqual(updated + (policy === 'Parallel' ? maxSurge : 0));
    expect(reserveOrders.some((ordinal) => world.pods.has(`web-${ordinal}`))).toBe(false);
    const lost = world.done.filter((action) => action.startsWith('delete')).length;
    const asked = world.done.filter((action) => action.startsWith('ask predelete')).length;
    if (hasHook) expect(asked).toBeGreaterThanOrEqual(Math.max(lost, updated));
  });
  fc.assert(property, { numRuns: 100 });
});

test('a canary is never ahead of its step, whenever the process dies and pods are lost', () => {
  const property = fc.property(
    fc.array(small, { maxLength: 10 }),
    fc.array(fc.nat({ max: 4 }), { maxLength: 3 }),
    fc.constantFrom('OrderedReady', 'Parallel'),
    (deaths, losses, podManagementPolicy) => {
      const world = begun({ ...canary, podManagementPolicy });
      world.deaths = deaths;
      world.settle();
      expect(world.status).toMatchObject({ currentStepIndex: 1, phase: 'Paused' });
      for (const ordinal of losses) {
        world.pods.delete(`web-${ordinal}`);
        world.settle();
      }
      expect(world.row).toBe('5/5/3/2');
      expect(world.mostUpdated).toBe(2);
    },
  );
  fc.assert(property, { numRuns: 40 });
});
