import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import {
  eventName,
  eventOf,
  isTooVaried,
  referenceOf,
  seriesAfter,
  similarAfter,
  type Similar,
} from './event-series.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'n', name: 'web', uid: 'u', resourceVersion: '7' },
};
const note = { type: 'Warning', reason: 'BackOff', message: 'again' } as const;

test('an object is referred to by what it has', () => {
  expect(referenceOf(pod, 'spec.containers{web}')).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: 'n',
    name: 'web',
    uid: 'u',
    resourceVersion: '7',
    fieldPath: 'spec.containers{web}',
  });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } };
  expect(referenceOf(node, undefined)).toEqual({ apiVersion: 'v1', kind: 'Node', name: 'one' });
});

test('texts are counted until it was quiet for ten minutes, and never more than needed', () => {
  let similar: Similar | undefined;
  const say = (text: string, minute: number): number => {
    similar = similarAfter(similar, text, instant(minute * 60_000));
    return similar.texts.size;
  };
  for (let i = 0; i < 9; i += 1) expect(say(`text ${i}`, 0)).toBe(i + 1);
  expect(say('text 0', 1)).toBe(9);
  expect(similar && isTooVaried(similar)).toBe(false);
  expect([say('more', 11), say('and more', 21)]).toEqual([10, 10]);
  expect(similar && isTooVaried(similar)).toBe(true);
  expect(say('text 0', 31.1)).toBe(1);
});

test('a series counts on; events of cluster-wide objects live in default', () => {
  const about = { apiVersion: 'v1', kind: 'Node', name: 'one' };
  const first = seriesAfter(undefined, { about, note, message: 'again', last: instant(0) });
  const second = seriesAfter(first, { about, note, message: 'again', last: instant(90_000) });
  expect(eventOf(second, 'one.1', { component: 'kubelet', host: 'one' })).toEqual({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'one.1', namespace: 'default' },
    involvedObject: about,
    type: 'Warning',
    reason: 'BackOff',
    message: 'again',
    count: 2,
    firstTimestamp: '1970-01-01T00:00:00Z',
    lastTimestamp: '1970-01-01T00:01:30Z',
    source: { component: 'kubelet', host: 'one' },
    reportingComponent: 'kubelet',
    reportingInstance: 'one',
  });
});

test.for([
  ['web', 0, 'web.17979cfe362a0000'],
  ['web', 0.5, 'web.17979cfe3631a120'],
  ['a'.repeat(253), 0, `${'a'.repeat(236)}.17979cfe362a0000`],
  [`${'a'.repeat(235)}.b`, 0, `${'a'.repeat(235)}.17979cfe362a0000`],
] as const)('the name of an event about %s', ([name, chance, expected]) => {
  expect(eventName({ name }, instant(1_700_000_000_000), chance)).toBe(expected);
});
