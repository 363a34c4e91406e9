import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { actAnnotation, actTargetOf, printAct } from '#releases/model/act.ts';
import { identityOf } from '#releases/model/act-identity.ts';
import type { ActOptions, ReleaseVerb } from './act-plan.ts';
import { planAct } from './plan-act.ts';

const steps = [
  { partition: 3 },
  { pause: {} },
  { partition: 2 },
  { pause: { duration: 60 } },
  { hook: { templateName: 'test' } },
];

type Given = {
  readonly step?: number | undefined;
  readonly pause?: string;
  readonly paused?: boolean;
  readonly canary?: JsonObject;
  readonly status?: JsonObject;
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
};

/** A release of `shop-new` over the stable revision `shop-old`; `step` is the index in the status. */
function shop({
  step = 0,
  pause,
  paused = pause !== undefined,
  canary,
  status,
  spec,
  metadata,
}: Given): KubeObject {
  const pauseConditions = pause === undefined ? [] : [{ reason: pause, startTime: '2026-01-05T12:00:00Z' }];
  return {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'GameDeployment',
    metadata: { name: 'shop', namespace: 'default', ...metadata },
    spec: { updateStrategy: { paused, canary: { steps } }, ...spec },
    status: {
      updateRevision: 'shop-new',
      currentStepIndex: step,
      pauseConditions,
      canary: { revision: 'shop-old', releaseID: 'r1', ...canary },
      ...status,
    },
  };
}

const pauseStep = 'PausedByCanaryPauseStep';
const hookPause = 'PausedByStepBasedHook';
const person = 'PausedByUser';

const states: Readonly<Record<string, KubeObject>> = {
  'partition under way': shop({ step: 0 }),
  'open pause': shop({ step: 1, pause: pauseStep }),
  'open pause, paused: false ignored': shop({ step: 1, pause: pauseStep, paused: false }),
  'timed pause': shop({ step: 3, pause: pauseStep }),
  'hook running': shop({ step: 4 }),
  'hook failed': shop({ step: 4, pause: hookPause, canary: { currentStepHookRun: 'shop-new-4-test' } }),
  'pods not ready': shop({ step: 2, status: { reason: 'CanaryPodsNotReady' } }),
  'paused by a user': shop({ step: 2, pause: person }),
  'paused by a user, aborted': shop({ step: 2, pause: person, canary: { abortedRevision: 'shop-new' } }),
  aborted: shop({ step: 4, canary: { abortedRevision: 'shop-new' } }),
  done: shop({ step: 5 }),
  'done, paused by a user': shop({ step: 5, pause: person }),
  'no steps': shop({ spec: { updateStrategy: {} } }),
  'no status': { ...shop({}), status: {} },
  deleting: shop({ metadata: { deletionTimestamp: '2026-01-05T12:00:00Z' } }),
};

function printed(verb: ReleaseVerb, state: string, options: Partial<ActOptions> = {}): string {
  const workload = states[state] ?? {};
  const plan = planAct(verb, workload, { title: 'gd/shop', ...options });
  switch (plan.type) {
    case 'write': {
      const { change } = plan;
      if (change.type === 'paused') return `write paused ${change.paused}: ${plan.summary}`;
      expect(change.target).toEqual(actTargetOf(workload));
      const to = change.toStep === undefined ? '' : ` to ${change.toStep}`;
      return `write ${change.verb}${to}${change.skipHooks === true ? ' without hooks' : ''}: ${plan.summary}`;
    }
    case 'pending':
      return `pending ${plan.id}`;
    case 'nothing':
      return `nothing${plan.isWaiting ? ', waits' : ''}: ${plan.message}`;
    case 'refused':
    case 'invalid':
      return `${plan.type}: ${plan.message}`;
  }
}

describe('every verb in every state', () => {
  test.for<[ReleaseVerb, string, RegExp]>([
    ['promote', 'partition under way', /^nothing: step 1\/5 of gd\/shop is under way/],
    ['promote', 'open pause', /^write promote: end the pause of step 2\/5 and continue$/],
    ['promote', 'timed pause', /^write promote: end the pause of step 4\/5 and continue$/],
    ['promote', 'hook running', /^nothing: the hook of step 5\/5 .* add --skip-hook$/],
    ['promote', 'hook failed', /^write promote: skip the failed hook of step 5\/5 and continue$/],
    ['promote', 'pods not ready', /^write promote: leave step 3\/5 although/],
    ['promote', 'paused by a user', /^nothing, waits: .*boathook release resume gd\/shop$/],
    ['promote', 'aborted', /^refused: .*boathook release retry gd\/shop$/],
    ['promote', 'done', /^nothing: all 5 steps of gd\/shop are done$/],
    ['promote', 'no steps', /^nothing: gd\/shop has no canary steps/],
    ['promote', 'no status', /^refused: no controller has taken up gd\/shop/],
    ['promote', 'deleting', /^refused: gd\/shop is being deleted$/],
    ['pause', 'partition under way', /^write paused true: /],
    ['pause', 'done', /^write paused true: /],
    ['pause', 'no steps', /^write paused true: /],
    ['pause', 'no status', /^write paused true: /],
    ['pause', 'hook running', /^write paused true: /],
    ['pause', 'open pause', /^nothing: .*boathook release promote gd\/shop$/],
    ['pause', 'open pause, paused: false ignored', /^nothing: .*boathook release promote gd\/shop$/],
    ['resume', 'open pause, paused: false ignored', /^nothing, waits: .*release promote gd\/shop$/],
    ['pause', 'timed pause', /^refused: step 4\/5 of gd\/shop pauses until 2026-01-05T12:01:00Z/],
    ['pause', 'hook failed', /^nothing: .*its hook failed/],
    ['pause', 'paused by a user', /^nothing: a user has paused gd\/shop already$/],
    ['pause', 'done, paused by a user', /^nothing: a user has paused/],
    ['pause', 'deleting', /^refused: /],
    ['resume', 'paused by a user', /^write paused false: /],
    ['resume', 'paused by a user, aborted', /^write paused false: /],
    ['resume', 'done, paused by a user', /^write paused false: /],
    ['resume', 'open pause', /^nothing, waits: .*not by a user.*boathook release promote gd\/shop$/],
    ['resume', 'timed pause', /^nothing: .*until 2026-01-05T12:01:00Z.*boathook release promote gd\/shop$/],
    ['resume', 'hook failed', /^nothing, waits: .*release promote gd\/shop.*release retry gd\/shop$/],
    ['resume', 'partition under way', /^nothing: gd\/shop is not paused$/],
    ['resume', 'no status', /^nothing: gd\/shop is not paused$/],
    ['resume', 'deleting', /^refused: /],
    ['abort', 'partition under way', /^write abort: .*step 1\/5 and return to shop-old$/],
    ['abort', 'open pause', /^write abort: /],
    ['abort', 'hook failed', /^write abort: /],
    ['abort', 'hook running', /^write abort: /],
    ['abort', 'pods not ready', /^write abort: /],
    ['abort', 'paused by a user', /^write abort: /],
    ['abort', 'aborted', /^nothing: .*aborted already: its pods go back to shop-old$/],
    ['abort', 'done', /^refused: .*boathook release undo gd\/shop$/],
    ['abort', 'no steps', /^refused: .*boathook release undo gd\/shop$/],
    ['abort', 'no status', /^refused: /],
    ['abort', 'deleting', /^refused: /],
    ['retry', 'hook failed', /^write retry: run the failed hook of step 5\/5 again$/],
    ['retry', 'aborted', /^write retry: start the aborted release again at step 1\/5$/],
    ['retry', 'paused by a user, aborted', /^write retry: /],
    ['retry', 'hook running', /^nothing: .*running already$/],
    ['retry', 'open pause', /^nothing, waits: .*release promote gd\/shop$/],
    ['retry', 'paused by a user', /^nothing, waits: .*release resume gd\/shop$/],
    ['retry', 'done', /^refused: .*nothing to retry/],
    ['retry', 'partition under way', /^refused: .*nothing to retry/],
    ['retry', 'no steps', /^refused: .*nothing to retry/],
    ['retry', 'deleting', /^refused: /],
  ])('%s, %s', ([verb, state, expected]) => {
    expect(printed(verb, state)).toMatch(expected);
  });
});

describe('promote past several steps', () => {
  test.for<[string, Partial<ActOptions>, RegExp]>([
    ['open pause', { toStep: 4 }, /^write promote to 3: continue to step 4\/5$/],
    ['open pause', { toStep: 'full' }, /^write promote to 5: continue to the end of the release$/],
    [
      'partition under way',
      { toStep: 'full', skipHooks: true },
      /^write promote to 5 without hooks: .* without hooks$/,
    ],
    ['open pause', { toStep: 2 }, /^nothing: gd\/shop is at step 2\/5 already$/],
    ['open pause', { toStep: 1 }, /^refused: gd\/shop is at step 2\/5 and does not go back to step 1\/5$/],
    ['open pause', { toStep: 6 }, /^invalid: gd\/shop has the steps 1 to 5, so --to-step 6/],
    ['open pause', { skipHooks: true }, /^invalid: .*which runs no hook/],
    [
      'hook running',
      { skipHooks: true },
      /^write promote without hooks: skip the hook of step 5\/5 and continue$/,
    ],
    ['hook failed', { skipHooks: true }, /^write promote: skip the failed hook/],
    ['paused by a user', { toStep: 'full' }, /^nothing, waits: /],
    ['aborted', { toStep: 'full' }, /^refused: /],
  ])('%s, %o', ([state, options, expected]) => {
    expect(printed('promote', state, options)).toMatch(expected);
  });

  test('a promotion that is under way is not requested again, unless it differs or is stopped', () => {
    const plan = (given: Given, options: Partial<ActOptions>): string =>
      planAct('promote', shop(given), { title: 'gd/shop', ...options }).type;
    const promotion = { promotion: { toStep: 5 } };
    expect(plan({ step: 2, canary: promotion }, { toStep: 'full' })).toBe('nothing');
    expect(plan({ step: 2, canary: promotion }, { toStep: 'full', skipHooks: true })).toBe('write');
    expect(plan({ step: 2, canary: promotion }, { toStep: 4 })).toBe('write');
    expect(plan({ step: 4, pause: hookPause, canary: promotion }, { toStep: 'full' })).toBe('write');
  });
});

describe('a request that is written already', () => {
  const act = (workload: KubeObject, id: string): KubeObject => {
    const request = { id, verb: 'promote', target: actTargetOf(workload), by: 'ann', time: '' } as const;
    return {
      ...workload,
      metadata: {
        ...(workload['metadata'] as JsonObject),
        annotations: { [actAnnotation]: printAct(request) },
      },
    };
  };
  const options = { title: 'gd/shop' };
  const paused = shop({ step: 1, pause: pauseStep });

  test('is pending until the controller has recorded it', () => {
    expect(planAct('promote', act(paused, 'one'), options)).toMatchObject({
      type: 'pending',
      id: 'one',
      by: 'ann',
    });
    const recorded = shop({ step: 1, pause: pauseStep, canary: { lastAct: { id: 'one' } } });
    expect(planAct('promote', act(recorded, 'one'), options).type).toBe('write');
  });

  test('is another one for another verb, other options or another pause', () => {
    expect(planAct('abort', act(paused, 'one'), options).type).toBe('write');
    expect(planAct('promote', act(paused, 'one'), { ...options, toStep: 'full' }).type).toBe('write');
    const old = act(paused, 'one');
    const later = shop({ step: 3, pause: pauseStep, metadata: old['metadata'] as JsonObject });
    expect(planAct('promote', later, options).type).toBe('write');
  });
});

test('a status of an earlier spec is no reason to do nothing', () => {
  const given = { metadata: { generation: 3 }, status: { observedGeneration: 2 } };
  const options = { title: 'gd/shop' };
  const plan = (verb: ReleaseVerb, more: Given) => planAct(verb, shop({ ...more, ...given }), options);
  for (const verb of ['promote', 'abort', 'retry'] as const)
    expect(plan(verb, { step: 5 })).toEqual({
      type: 'refused',
      message: expect.stringMatching(
        /^no controller has seen the last change of gd\/shop yet \(generation 3/,
      ) as string,
    });
  expect(plan('promote', { step: 1, pause: pauseStep }).type).toBe('write');
  expect(plan('abort', { step: 0 }).type).toBe('write');
  expect(plan('resume', { step: 5 }).type).toBe('nothing');
});

describe('--expect', () => {
  test.for<[ReleaseVerb, string, string, RegExp]>([
    ['promote', 'open pause', 'r1/2', /^write promote/],
    [
      'promote',
      'open pause',
      'r1/1',
      /^nothing: gd\/shop is at r1\/2 and not at r1\/1: that was done already/,
    ],
    [
      'promote',
      'open pause',
      'r1/3',
      /^refused: gd\/shop is at r1\/2 and not at r1\/3, so nothing was changed$/,
    ],
    ['promote', 'open pause', 'r0/2', /^refused: .*another release has begun/],
    ['promote', 'open pause', 'step 2', /^invalid: --expect step 2/],
    ['promote', 'done', 'r1/5', /^nothing: /],
    ['abort', 'open pause', 'r1/2', /^write abort/],
    ['abort', 'open pause', 'r1/1', /^refused: /],
    ['abort', 'aborted', 'r1/2', /^nothing: /],
    ['retry', 'hook failed', 'r1/5', /^write retry/],
  ])('%s, %s, %s', ([verb, state, expected, outcome]) => {
    expect(printed(verb, state, { expect: expected })).toMatch(outcome);
  });

  test('the state changes with every retry of a hook', () => {
    const again = shop({ step: 4, pause: hookPause, canary: { retries: 1 } });
    expect(identityOf(again)).toBe('r1/5.1');
    const plan = (state: string): string => planAct('retry', again, { title: 'gd/shop', expect: state }).type;
    expect([plan('r1/5.1'), plan('r1/5'), plan('r1/5.2')]).toEqual(['write', 'nothing', 'refused']);
  });
});
