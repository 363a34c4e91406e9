import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { deletingAnnotation } from '#releases/model/well-known.ts';
import { revisionNames, World } from './testing/world.ts';

const check = { hook: { templateName: 'check' } };
const types = ['RollingUpdate', 'InplaceUpdate', 'InplaceIfPossible'] as const;

const strategies = fc.record({
  type: fc.constantFrom(...types),
  maxUnavailable: fc.integer({ min: 1, max: 3 }),
  maxSurge: fc.nat({ max: 2 }),
  grace: fc.constantFrom(0, 2),
});

const hookFields = fc.record({
  preDelete: fc.boolean(),
  preInplace: fc.boolean(),
  postInplace: fc.boolean(),
  isEnforced: fc.boolean(),
});

const specOf = (
  replicas: number,
  { type, maxUnavailable, maxSurge, grace }: typeof strategies extends fc.Arbitrary<infer T> ? T : never,
  hooks: typeof hookFields extends fc.Arbitrary<infer T> ? T : never,
  more: JsonObject = {},
): JsonObject => ({
  replicas,
  updateStrategy: {
    type,
    maxUnavailable,
    maxSurge,
    inPlaceUpdateStrategy: { gracePeriodSeconds: grace },
    ...more,
  },
  ...(hooks.preDelete
    ? { preDeleteUpdateStrategy: { ...check, ...(hooks.isEnforced ? { enforce: 'Always' } : {}) } }
    : {}),
  ...(hooks.preInplace ? { preInplaceUpdateStrategy: check } : {}),
  ...(hooks.postInplace ? { postInplaceUpdateStrategy: check } : {}),
});

test('releases one after another keep the budget, the surge and the partition, and come to their end', () => {
  const releases = fc.array(
    fc.record({ revision: fc.constantFrom(...revisionNames), looks: fc.nat({ max: 8 }) }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(
      fc.record({ replicas: fc.integer({ min: 1, max: 6 }), partition: fc.nat({ max: 4 }) }),
      strategies,
      hookFields,
      releases,
      ({ replicas, partition }, strategy, hooks, plan) => {
        const world = new World(specOf(replicas, strategy, hooks, { partition }));
        world.settle();
        world.onLook = (views) => {
          const active = views.filter((view) => view.isActive);
          const inService = active.filter((view) => view.isInService);
          expect(inService.length).toBeGreaterThanOrEqual(replicas - strategy.maxUnavailable);
          expect(active.length).toBeLessThanOrEqual(replicas + strategy.maxSurge);
        };
        for (const { revision, looks } of plan) {
          world.revision = revision;
          for (let look = 0; look < looks; look += 1) world.step();
        }
        const status = world.settle();
        const last = world.revision;
        const old = world.views.filter((view) => view.revision !== last).length;
        expect(status).toMatchObject({ phase: 'Complete', replicas, readyReplicas: replicas });
        expect(old).toBeLessThanOrEqual(Math.min(partition, replicas));
        expect(leftovers(world)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('steps keep as many old pods as they say, and pause with no pod too many', () => {
  const steps = [{ partition: '75%' }, { pause: {} }, { partition: 1 }, { pause: { duration: 9 } }, check];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), strategies, hookFields, (replicas, strategy, hooks) => {
      const world = new World(specOf(replicas, strategy, hooks, { canary: { steps } }));
      expect(world.settle()).toMatchObject({ currentStepIndex: 5, phase: 'Complete' });
      world.revision = 'r2';
      let fewest = Infinity;
      world.onLook = (views) => {
        fewest = Math.min(fewest, views.filter((view) => view.isActive && view.revision !== 'r2').length);
      };
      const paused = (step: number, old: number): JsonObject => ({
        currentStepIndex: step,
        phase: 'Paused',
        replicas,
        readyReplicas: replicas,
        updatedReplicas: replicas - old,
        updatedReadyReplicas: replicas - old,
      });
      const [first, second] = [Math.ceil(replicas * 0.75), Math.min(1, replicas)];
      expect(world.settle()).toMatchObject(paused(1, first));
      expect(fewest).toBe(first);
      world.edit({ updateStrategy: { paused: false } });
      expect(world.settle()).toMatchObject(paused(3, second));
      expect(fewest).toBe(second);
      world.verdict = 'Failed';
      expect(world.wait(10)).toMatchObject(paused(4, second));
      expect(fewest).toBe(second);
      world.verdict = 'Successful';
      world.edit({ updateStrategy: { paused: false } });
      expect(world.settle()).toMatchObject({
        currentStepIndex: 5,
        phase: 'Complete',
        updatedReadyReplicas: replicas,
      });
    }),
    { numRuns: 60 },
  );
});

type Event =
  | { readonly type: 'scale'; readonly replicas: number }
  | { readonly type: 'revision'; readonly revision: (typeof revisionNames)[number] }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  | { readonly type: 'verdict'; readonly verdict: string | undefined }
  | { readonly type: 'break'; readonly revision: string }
  | { readonly type: 'die'; readonly actions: number }
  | { readonly type: 'delete' }
  | { readonly type: 'partition'; readonly partition: number };

const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ type: fc.constant('scale' as const), replicas: fc.nat({ max: 6 }) }),
  fc.record({ type: fc.constant('revision' as const), revision: fc.constantFrom(...revisionNames) }),
  fc.record({ type: fc.constant('pause' as const), isPaused: fc.boolean() }),
  fc.record({
    type: fc.constant('verdict' as const),
    verdict: fc.constantFrom('Successful', 'Failed', 'Error', undefined),
  }),
  fc.record({ type: fc.constant('break' as const), revision: fc.constantFrom(...revisionNames) }),
  fc.record({ type: fc.constant('die' as const), actions: fc.nat({ max: 4 }) }),
  fc.record({ type: fc.constant('delete' as const) }),
  fc.record({ type: fc.constant('partition' as const), partition: fc.nat({ max: 5 }) }),
);

function happen(world: World, event: Event): void {
  switch (event.type) {
    case 'scale':
      world.edit({ replicas: event.replicas });
      return;
    case 'revision':
      world.revision = event.revision;
      return;
    case 'pause':
      world.edit({ updateStrategy: { paused: event.isPaused } });
      return;
    case 'verdict':
      world.verdict = event.verdict;
      return;
    case 'break':
      world.broken.add(event.revision);
      return;
    case 'die':
      world.deaths = [event.actions];
      return;
    case 'partition':
      world.edit({ updateStrategy: { partition: event.partition } });
      return;
    case 'delete': {
      const [name] = [...world.pods.keys()];
      const pod = world.pods.get(name ?? '');
      if (name === undefined || pod === undefined) return;
      const metadata = { ...(pod['metadata'] as JsonObject), deletionTimestamp: '2026-01-05T12:00:00Z' };
      world.pods.set(name, { ...pod, metadata });
    }
  }
}

/** Marks and runs that nobody needs any more. */
function leftovers(world: World): readonly string[] {
  const marked = world.views.filter(
    (view) => view.leaving !== undefined || view.annotations[deletingAnnotation] !== undefined,
  );
  const runs = [...world.runs.keys()].filter((name) => /^(pre|post)/.test(name));
  return [...marked.map(({ facts }) => facts.name), ...runs];
}

test('after any bad day it comes to rest, with all pods of the last template and nothing left over', () => {
  const days = fc.array(fc.tuple(events, fc.nat({ max: 4 })), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(strategies, hookFields, fc.boolean(), days, (strategy, hooks, hasSteps, day) => {
      const steps = [{ partition: 2 }, { pause: {} }, check];
      const world = new World(specOf(4, strategy, hooks, hasSteps ? { canary: { steps } } : {}));
      world.settle();
      for (const [event, looks] of day) {
        happen(world, event);
        for (let look = 0; look < looks; look += 1) world.step();
      }
      // The next morning: services answer, images are mended, and a person goes on.
      world.verdict = 'Successful';
      world.broken.clear();
      world.edit({ replicas: 4, updateStrategy: { partition: 0, paused: false } });
      for (let day = 0; day < 4; day += 1) {
        for (const name of ['preDelete', 'preInplace', 'postInplace'] as const)
          if (hooks[name]) world.edit({ [`${name}UpdateStrategy`]: { retry: true } });
        world.edit({ updateStrategy: { paused: false } });
        world.settle();
      }
      const status = world.settle();
      expect(status).toMatchObject({
        phase: 'Complete',
        replicas: 4,
        updatedReplicas: 4,
        updatedReadyReplicas: 4,
      });
      expect(leftovers(world)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
