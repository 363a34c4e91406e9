import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { endedReleases } from './ended-releases.ts';

const start = '2020-11-10T09:00:00Z';
const under = { revision: 'a', startTime: start, outcome: 'Progressing', pausedSince: start };
const complete = {
  revision: 'a',
  startTime: start,
  outcome: 'Complete',
  cause: 'AllPodsUpdated',
  endTime: '2020-11-10T09:10:00Z',
  pausedSeconds: 540,
};
const replaced = { ...complete, outcome: 'Replaced', cause: 'NewTemplate' };
const next = { revision: 'b', startTime: '2020-11-10T09:10:00Z', outcome: 'Progressing' };

const summary = (before: readonly JsonObject[], after: readonly JsonObject[]) =>
  endedReleases({ status: { history: before } }, { history: after }).map(
    ({ revision, outcome, cause, seconds, pausedSeconds }) =>
      `${revision} ${outcome} ${cause} ${seconds} ${pausedSeconds}`,
  );

test.for<[string, readonly JsonObject[], readonly JsonObject[], readonly string[]]>([
  ['a release that is still under way', [under], [under], []],
  ['a release that ended', [under], [complete], ['a Complete AllPodsUpdated 600 540']],
  ['a release that had ended before', [complete], [next, complete], []],
  ['a new template ends the one before', [under], [next, replaced], ['a Replaced NewTemplate 600 540']],
  ['a release that ended at once', [], [complete], ['a Complete AllPodsUpdated 600 540']],
  [
    'the same revision, aborted and tried again',
    [{ ...complete, startTime: '2020-11-09T09:00:00Z', outcome: 'Aborted' }, under],
    [{ ...complete, startTime: '2020-11-09T09:00:00Z', outcome: 'Aborted' }, complete],
    ['a Complete AllPodsUpdated 600 540'],
  ],
  ['a record without times', [], [{ revision: 'a', outcome: 'Complete' }], ['a Complete Unknown 0 0']],
  ['no history', [under], [], []],
])('%s', ([, before, after, expected]) => {
  expect(summary(before, after)).toEqual(expected);
});
