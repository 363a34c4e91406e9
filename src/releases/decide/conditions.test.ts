import { expect, test } from 'vitest';
import { after, noon } from '#kube/workload/testing/objects.ts';
import {
  standingOf,
  statusWithTrouble,
  type Standing,
  type StandingGiven,
  withTrouble,
} from './conditions.ts';
import { holdReasons, type Hold } from './reasons.ts';

const given: StandingGiven = {
  holds: [],
  pauses: [],
  isComplete: false,
  isOverdue: false,
  done: 'done',
  moving: 'moving',
};
const waits: Hold = { reason: 'WaitingForPods', message: 'pods' };
const paused: Hold = { reason: 'PausedByUser', message: 'paused' };
const stuck: Hold = { reason: 'InPlaceUpdateStuck', message: 'stuck' };
const pauses = [{ reason: 'PausedByUser' }];

test.for<readonly [string, Partial<StandingGiven>, Standing['phase'], string]>([
  ['it moves', {}, 'Progressing', 'moving'],
  ['it waits', { holds: [waits] }, 'Progressing', 'pods'],
  ['it is done', { isComplete: true }, 'Complete', 'done'],
  ['it is done though something waits', { isComplete: true, holds: [waits] }, 'Complete', 'done'],
  ['it is paused', { holds: [waits, paused], pauses }, 'Paused', 'paused'],
  ['it is done and paused', { isComplete: true, holds: [paused], pauses }, 'Paused', 'paused'],
  ['what blocks counts more than a pause', { holds: [paused, stuck], pauses }, 'Blocked', 'stuck'],
  ['too long', { isOverdue: true }, 'Blocked', 'No progress for too long. moving'],
  ['too long at something', { isOverdue: true, holds: [waits] }, 'Blocked', 'No progress for too long. pods'],
])('%s', ([, change, phase, message]) => {
  expect(standingOf({ ...given, ...change })).toMatchObject({ phase, message });
});

test('every reason has a sentence', () => {
  for (const sentence of Object.values(holdReasons)) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test('a write that was refused is told until one succeeds (G5)', () => {
  const trouble = { reason: 'FailedCreate', message: 'quota' };
  const workload = { status: { conditions: withTrouble({}, 'FailedScale', trouble, noon) } };
  expect(workload.status.conditions).toMatchObject([
    { type: 'FailedScale', status: 'True', message: 'quota' },
  ]);
  const again = withTrouble(workload, 'FailedScale', { reason: 'FailedCreate', message: 'other' }, after(9));
  expect(again).toMatchObject([{ message: 'other', lastTransitionTime: '2026-01-05T12:00:00Z' }]);
  expect(withTrouble(workload, 'FailedScale', undefined, after(9))).toEqual([]);
});

test('a refused write is what people read of a release that would move, with the moment it began', () => {
  const trouble = { reason: 'FailedCreate', message: 'the quota is used up' };
  const status = {
    phase: 'Progressing',
    message: 'Updating',
    conditions: [{ type: 'Progressing', status: 'True', reason: 'Progressing' }],
  };
  const told = statusWithTrouble({}, status, trouble, noon);
  expect(told).toMatchObject({
    phase: 'Blocked',
    message: 'the quota is used up',
    conditions: [
      { type: 'Progressing', status: 'False', reason: 'FailedCreate' },
      { type: 'FailedScale', status: 'True', reason: 'FailedCreate' },
    ],
  });
  const again = statusWithTrouble({ status: told }, status, trouble, after(9));
  expect(again['conditions']).toMatchObject([{ lastTransitionTime: '2026-01-05T12:00:00Z' }, {}]);
  expect(statusWithTrouble({ status: told }, status, undefined, after(9))).toEqual(status);
});

test.for(['Paused', 'Blocked'])('one that is %s has said why', (phase) => {
  const status = { phase, message: 'why', conditions: [] };
  const told = statusWithTrouble({}, status, { reason: 'FailedCreate', message: 'quota' }, noon);
  expect(told).toMatchObject({ phase, message: 'why', conditions: [{ type: 'FailedScale' }] });
});
