import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import type { Given } from '#command/given.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { requestOf, runOptionsOf } from './options.ts';
import { requestRecord } from './request-record.ts';
import { settingsAgain, startedWith } from './started-with.ts';

const usual = { filename: ['c.yaml'], installer: 'none', parallel: '20' };

const settings = (given: Given): Parameters<typeof settingsAgain>[1] => ({
  request: requestOf('deploy', { ...usual, ...given }, []),
  options: runOptionsOf(given),
});

function planned(given: Given): Extract<JournalRecord, { readonly type: 'planned' }> {
  const { request, options } = settings(given);
  const about = { id: 'op-1', cluster: 'c', operation: 'cluster.create' } as const;
  return {
    type: 'planned',
    at: instant(0),
    ...about,
    request: requestRecord(request),
    startedWith: startedWith(options),
  };
}

const begun = { retries: '3', purge: true, parallel: '7', stateDir: '/srv/state', leaseStale: '45s' };

test('an operation continues with what it was started with', () => {
  const { request, options } = settingsAgain(planned(begun), settings({}), new Set());
  expect(request).toMatchObject({ retries: 3, parallel: 7 });
  expect(options).toMatchObject({ purge: true, stateDir: '/srv/state', leaseStale: 45_000 });
});

test('numbers and spans that are given again count for this run', () => {
  const now = { retries: '0', parallel: '2', leaseStale: '1m' };
  const again = settingsAgain(planned(begun), settings(now), new Set(Object.keys(now)));
  expect(again.request).toMatchObject({ retries: 0, parallel: 2 });
  expect(again.options).toMatchObject({ purge: true, leaseStale: 60_000 });
});

test('records of earlier versions have no retries', () => {
  const { startedWith: _, ...record } = planned({});
  const { retries: __, ...request } = record.request;
  const again = settingsAgain({ ...record, request }, settings({ retries: '4' }), new Set());
  expect(again.request).not.toHaveProperty('retries');
});

test('another state directory is a contradiction', () => {
  const elsewhere = settings({ stateDir: '/srv/other' });
  expect(() => settingsAgain(planned(begun), elsewhere, new Set(['stateDir']))).toThrow(
    /--state-dir=\/srv\/other contradicts operation op-1, which was started with --state-dir=\/srv\/state/,
  );
});
