import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { after, noon } from '#kube/workload/testing/objects.ts';
import type { Counts } from './counts.ts';
import { progressOf, type ProgressGiven } from './progress.ts';

const counts: Counts = {
  replicas: 4,
  ready: 4,
  available: 4,
  updated: 2,
  updatedReady: 2,
  updatedAvailable: 2,
  nextAvailable: undefined,
};
const status = {
  updateRevision: 'new',
  updatedReplicas: 2,
  updatedReadyReplicas: 2,
  readyReplicas: 4,
  lastProgressTime: '2026-01-05T12:00:00Z',
};
const moment = (seconds: number): string => new Date(after(seconds)).toISOString().replace('.000Z', 'Z');

type Row = readonly [
  name: string,
  given: Partial<ProgressGiven> & { readonly status?: JsonObject },
  last: number,
  isOverdue: boolean,
  wakeAt: number | undefined,
];

test.for<Row>([
  ['nothing moved', {}, 0, false, 100],
  ['the first look', { status: {} }, 50, false, 150],
  ['a step', { hasMoved: true }, 50, false, 150],
  ['another template', { updateRevision: 'newer' }, 50, false, 150],
  ['one more pod is updated', { counts: { ...counts, updated: 3 } }, 50, false, 150],
  ['one more is in service', { counts: { ...counts, updatedReady: 3 } }, 50, false, 150],
  ['any pod is in service', { status: { readyReplicas: 3 } }, 50, false, 150],
  ['fewer is no progress', { counts: { ...counts, updatedReady: 1 } }, 0, false, 100],
  ['at the deadline', { now: after(100) }, 0, true, undefined],
  ['nothing is expected of what is idle', { now: after(100), isIdle: true }, 0, false, undefined],
  ['after a pause the time starts anew', { now: after(999), status: { phase: 'Paused' } }, 999, false, 1099],
  ['after all was done as well', { now: after(999), status: { phase: 'Complete' } }, 999, false, 1099],
  ['not after a block', { now: after(999), status: { phase: 'Blocked' } }, 0, true, undefined],
])('%s', ([, { status: change, ...given }, last, isOverdue, wakeAt]) => {
  const isEmpty = change !== undefined && Object.keys(change).length === 0;
  const progress = progressOf({
    workload: { status: isEmpty ? {} : { ...status, ...change } },
    updateRevision: 'new',
    counts,
    hasMoved: false,
    isIdle: false,
    deadlineSeconds: 100,
    now: after(50),
    ...given,
  });
  expect(progress.lastProgressTime).toBe(moment(last));
  expect(progress.isOverdue).toBe(isOverdue);
  expect(progress.wakeAt).toBe(wakeAt === undefined ? undefined : noon + wakeAt * 1000);
});
