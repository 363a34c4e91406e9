import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { later, seconds } from '#base/time.ts';
import { actAnnotation, actTargetOf, printAct } from '#releases/model/act.ts';
import { releaseVerdict } from './release-verdict.ts';
import { ago, pauseFrom, shopTime, shopWorkload, updateName } from './testing/shop.ts';

const healthy = { conditions: [{ type: 'Healthy', status: 'True' }] };
const blockedSince = (span: number): JsonObject => ({
  conditions: [{ type: 'Progressing', status: 'False', lastTransitionTime: ago(span) }],
});
const pauseStep = 'PausedByCanaryPauseStep';

test.for([
  ['complete and healthy', { phase: 'Complete', ...healthy }, 'complete'],
  ['complete, but a pod is missing', { phase: 'Complete' }, 'progressing'],
  ['a newer spec than its status', { phase: 'Complete', ...healthy, observedGeneration: 1 }, 'progressing'],
  ['no status yet', { phase: '', observedGeneration: 0 }, 'progressing'],
  ['it updates pods', { phase: 'Progressing', reason: 'WaitingForPods' }, 'progressing'],
  ['OnDelete', { phase: 'Progressing', reason: 'WaitingForDeletion' }, 'waiting'],
  [
    'a pause without an end',
    { phase: 'Paused', currentStepIndex: 1, pauseConditions: pauseFrom(pauseStep, 9) },
    'waiting',
  ],
  [
    'a pause with an end',
    { phase: 'Paused', currentStepIndex: 3, pauseConditions: pauseFrom(pauseStep, 9) },
    'timed-pause',
  ],
  [
    'a pause of a user at a pause with an end',
    { phase: 'Paused', currentStepIndex: 3, pauseConditions: pauseFrom('PausedByUser', 9) },
    'waiting',
  ],
  [
    'a failed hook',
    { phase: 'Paused', currentStepIndex: 4, pauseConditions: pauseFrom('PausedByStepBasedHook', 9) },
    'waiting',
  ],
  ['aborted', { phase: 'Blocked', reason: 'Aborted', canary: { abortedRevision: updateName } }, 'failed'],
  ['too late', { phase: 'Blocked', reason: 'ProgressDeadlineExceeded' }, 'failed'],
  ['an exceeded quota', { phase: 'Blocked', reason: 'FailedCreate', ...blockedSince(10) }, 'blocked-for-now'],
  [
    'the reason is only in the condition',
    {
      phase: 'Blocked',
      conditions: [
        { type: 'Progressing', status: 'False', reason: 'NoHookController', lastTransitionTime: ago(1) },
      ],
    },
    'blocked-for-now',
  ],
] as const)('%s', ([, status, verdict]) => {
  expect(releaseVerdict(shopWorkload(status as JsonObject)).type).toBe(verdict);
});

test('a workload that is being deleted has failed', () => {
  const workload = shopWorkload({ phase: 'Complete', ...healthy });
  const metadata = { ...(workload['metadata'] as JsonObject), deletionTimestamp: ago(1) };
  expect(releaseVerdict({ ...workload, metadata })).toEqual({ type: 'failed' });
});

test('a pause and a block have their times', () => {
  const paused = shopWorkload({
    phase: 'Paused',
    currentStepIndex: 3,
    pauseConditions: pauseFrom(pauseStep, 18),
  });
  expect(releaseVerdict(paused)).toEqual({ type: 'timed-pause', until: later(shopTime, seconds(42)) });
  const blocked = shopWorkload({ phase: 'Blocked', reason: 'FailedCreate', ...blockedSince(10) });
  expect(releaseVerdict(blocked)).toEqual({ type: 'blocked-for-now', failsAt: later(shopTime, seconds(50)) });
});

test('a request that the controller has not decided yet: the release is not waiting any more', () => {
  const state = { phase: 'Paused', currentStepIndex: 1, pauseConditions: pauseFrom(pauseStep, 9) };
  const asked = (status: JsonObject, target: Partial<ReturnType<typeof actTargetOf>> = {}) => {
    const workload = shopWorkload(status);
    const act = { id: 'a1', verb: 'promote', by: 'ada', time: ago(1) } as const;
    const text = printAct({ ...act, target: { ...actTargetOf(workload), ...target } });
    const metadata = { ...(workload['metadata'] as JsonObject), annotations: { [actAnnotation]: text } };
    return releaseVerdict({ ...workload, metadata }).type;
  };
  expect(asked(state)).toBe('progressing');
  expect(asked({ ...state, canary: { lastAct: { id: 'a1' } } })).toBe('waiting');
  expect(asked(state, { step: 0 })).toBe('waiting');
});
