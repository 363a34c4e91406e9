import { expect, test } from 'vitest';
import { after, noon } from '#kube/workload/testing/objects.ts';
import {
  releaseStateOf,
  statusWithFailure,
  type ReleaseState,
  type ReleaseStateGiven,
  withFailure,
} from './conditions.ts';
import { blockerReasons, type Blocker } from '#releases/model/blocker.ts';

const given: ReleaseStateGiven = {
  blockers: [],
  pauses: [],
  isComplete: false,
  isOverdue: false,
  done: 'done',
  moving: 'moving',
};
const waits: Blocker = { reason: 'WaitingForPods', message: 'pods' };
const paused: Blocker = { reason: 'PausedByUser', message: 'paused' };
const stuck: Blocker = { reason: 'InPlaceUpdateStuck', message: 'stuck' };
const pauses = [{ reason: 'PausedByUser' }];

test.for<readonly [string, Partial<ReleaseStateGiven>, ReleaseState['phase'], string]>([
  ['it moves', {}, 'Progressing', 'moving'],
  ['it waits', { blockers: [waits] }, 'Progressing', 'pods'],
  ['it is done', { isComplete: true }, 'Complete', 'done'],
  ['it is done though something waits', { isComplete: true, blockers: [waits] }, 'Complete', 'done'],
  ['it is paused', { blockers: [waits, paused], pauses }, 'Paused', 'paused'],
  ['it is done and paused', { isComplete: true, blockers: [paused], pauses }, 'Paused', 'paused'],
  ['what blocks counts more than a pause', { blockers: [paused, stuck], pauses }, 'Blocked', 'stuck'],
  ['too long', { isOverdue: true }, 'Blocked', 'No progress for too long. moving'],
  [
    'too long at something',
    { isOverdue: true, blockers: [waits] },
    'Blocked',
    'No progress for too long. pods',
  ],
])('%s', ([, change, phase, message]) => {
  expect(releaseStateOf({ ...given, ...change })).toMatchObject({ phase, message });
});

test('every reason has a sentence', () => {
  for (const sentence of Object.values(blockerReasons)) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test('a write that was refused is told until one succeeds', () => {
  const trouble = { reason: 'FailedCreate', message: 'quota' };
  const workload = { status: { conditions: withFailure({}, 'FailedScale', trouble, noon) } };
  expect(workload.status.conditions).toMatchObject([
    { type: 'FailedScale', status: 'True', message: 'quota' },
  ]);
  const again = withFailure(workload, 'FailedScale', { reason: 'FailedCreate', message: 'other' }, after(9));
  expect(again).toMatchObject([{ message: 'other', lastTransitionTime: '2026-01-05T12:00:00Z' }]);
  expect(withFailure(workload, 'FailedScale', undefined, after(9))).toEqual([]);
});

test('a refused write is what people read of a release that would move, with the moment it began', () => {
  const trouble = { reason: 'FailedCreate', message: 'the quota is used up' };
  const status = {
    phase: 'Progressing',
    message: 'Updating',
    conditions: [{ type: 'Progressing', status: 'True', reason: 'Progressing' }],
  };
  const told = statusWithFailure({}, status, trouble, noon);
  expect(told).toMatchObject({
    phase: 'Blocked',
    message: 'the quota is used up',
    conditions: [
      { type: 'Progressing', status: 'False', reason: 'FailedCreate' },
      { type: 'FailedScale', status: 'True', reason: 'FailedCreate' },
    ],
  });
  const again = statusWithFailure({ status: told }, status, trouble, after(9));
  expect(again['conditions']).toMatchObject([{ lastTransitionTime: '2026-01-05T12:00:00Z' }, {}]);
  expect(statusWithFailure({ status: told }, status, undefined, after(9))).toEqual(status);
});

test.for(['Paused', 'Blocked'])('one that is %s has said why', (phase) => {
  const status = { phase, message: 'why', conditions: [] };
  const told = statusWithFailure({}, status, { reason: 'FailedCreate', message: 'quota' }, noon);
  expect(told).toMatchObject({ phase, message: 'why', conditions: [{ type: 'FailedScale' }] });
});
