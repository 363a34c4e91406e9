import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt } from '#base/json.ts';
import { withMeta } from '#kube/object.ts';
import { actAnnotation, actTargetOf, actVerbs, printAct, type ReleaseAct } from '#releases/model/act.ts';
import { World } from './testing/world.ts';

const check = { hook: { templateName: 'check' } };
const steps = [{ partition: 3 }, { pause: {} }, check, { pause: { duration: 9 } }, { partition: 1 }, check];

const requests = fc.record({
  verb: fc.constantFrom(...actVerbs),
  toStep: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
  skipHooks: fc.boolean(),
});

type Request = typeof requests extends fc.Arbitrary<infer T> ? T : never;

const actOf = (world: World, id: string, { verb, toStep, skipHooks }: Request): ReleaseAct => ({
  id,
  verb,
  target: actTargetOf(world.workload),
  ...(toStep === undefined ? {} : { toStep }),
  ...(skipHooks ? { skipHooks } : {}),
  by: 'alice',
  time: '2026-01-05T12:00:00Z',
});

function write(world: World, act: ReleaseAct): void {
  world.workload = withMeta(world.workload, { annotations: { [actAnnotation]: printAct(act) } });
}

/** A release that has gone on for some looks. */
function releasing(looks: number, verdict: string | undefined, policy: string): World {
  const world = new World({
    replicas: 4,
    updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 2, resumePolicy: policy, canary: { steps } },
  });
  world.settle();
  world.revision = 'r2';
  world.verdict = verdict;
  for (let look = 0; look < looks; look += 1) world.step();
  return world;
}

const places = fc.record({
  looks: fc.integer({ min: 1, max: 30 }),
  verdict: fc.constantFrom('Successful', 'Failed', undefined),
  policy: fc.constantFrom('Spec', 'Approval'),
});

const resultOf = (world: World): string => textAt(world.status, 'canary', 'lastAct', 'result') ?? '';
const walkOf = (world: World) => ({
  step: numberAt(world.status, 'currentStepIndex'),
  release: textAt(world.status, 'canary', 'releaseID'),
  retries: numberAt(world.status, 'canary', 'retries'),
  aborted: textAt(world.status, 'canary', 'abortedRevision'),
  promotion: objectAt(world.status, 'canary', 'promotion'),
  pauses: listAt(world.status, 'pauseConditions'),
});

test('a request that is written again, at once or later, has no effect again', () => {
  fc.assert(
    fc.property(places, requests, fc.nat({ max: 6 }), ({ looks, verdict, policy }, request, later) => {
      const world = releasing(looks, verdict, policy);
      const act = actOf(world, 'r1', request);
      write(world, act);
      world.step();
      for (let look = 0; look < later; look += 1) world.step();
      const before = JSON.stringify(world.status);
      const twin = releasing(looks, verdict, policy);
      write(twin, act);
      twin.step();
      // In the twin the annotation is removed and put back.
      for (let look = 0; look < later; look += 1) {
        if (look % 2 === 0) twin.workload = withMeta(twin.workload, { annotations: {} });
        else write(twin, act);
        twin.step();
      }
      expect(JSON.stringify(twin.status)).toBe(before);
    }),
    { numRuns: 60 },
  );
});

test('a request for a state that is gone changes nothing', () => {
  fc.assert(
    fc.property(places, requests, requests, ({ looks, verdict, policy }, first, second) => {
      const world = releasing(looks, verdict, policy);
      const stale = actOf(world, 'r2', second);
      write(world, actOf(world, 'r1', first));
      world.step();
      fc.pre(resultOf(world) === 'Done');
      const isGone = JSON.stringify(actTargetOf(world.workload)) !== JSON.stringify(stale.target);
      fc.pre(isGone);
      const twin = releasing(looks, verdict, policy);
      write(twin, actOf(twin, 'r1', first));
      twin.step();
      write(world, stale);
      world.step();
      twin.step();
      expect(resultOf(world)).toBe('Ignored');
      // Hooks wait one look while a request is decided; the walk is the same.
      expect(walkOf(world)).toEqual(walkOf(twin));
    }),
    { numRuns: 60 },
  );
});

test('two requests that were decided on the same state advance by one step', () => {
  fc.assert(
    fc.property(places, ({ looks, verdict, policy }) => {
      const world = releasing(looks, verdict, policy);
      fc.pre(listAt(world.status, 'pauseConditions').length > 0);
      const plain: Request = { verb: 'promote', toStep: undefined, skipHooks: false };
      const [first, second] = [actOf(world, 'r1', plain), actOf(world, 'r2', plain)];
      const step = numberAt(world.status, 'currentStepIndex') ?? 0;
      write(world, first);
      world.step();
      expect(resultOf(world)).toBe('Done');
      expect(numberAt(world.status, 'currentStepIndex')).toBe(step + 1);
      write(world, second);
      world.verdict = undefined;
      world.step();
      expect(resultOf(world)).toBe('Ignored');
    }),
    { numRuns: 40 },
  );
});

test('whatever users request, a promotion to the end without hooks ends the release', () => {
  const days = fc.array(fc.tuple(requests, fc.nat({ max: 4 })), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(places, days, ({ looks, verdict, policy }, day) => {
      const world = releasing(looks, verdict, policy);
      let id = 0;
      const request = (each: Request, then: number): void => {
        write(world, actOf(world, `r${(id += 1)}`, each));
        for (let look = 0; look <= then; look += 1) world.step();
      };
      for (const [each, then] of day) request(each, then);
      request({ verb: 'retry', toStep: undefined, skipHooks: false }, 2);
      request({ verb: 'promote', toStep: 99, skipHooks: true }, 2);
      world.verdict = 'Successful';
      expect(world.settle()).toMatchObject({ phase: 'Complete', updatedReadyReplicas: 4 });
    }),
    { numRuns: 40 },
  );
});
