import { expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { TokenBucket } from './token-bucket.ts';

test('a burst, and then so many per second', () => {
  const clock = manualClock(0);
  const bucket = new TokenBucket(clock, { perSecond: 2, burst: 2 });
  const take = (): boolean => bucket.tryTake();
  expect([take(), take(), take()]).toEqual([true, true, false]);
  clock.advance(millis(499));
  expect(take()).toBe(false);
  clock.advance(millis(1));
  expect([take(), take()]).toEqual([true, false]);
  clock.advance(millis(60_000));
  expect([take(), take(), take()]).toEqual([true, true, false]);
});

test('tokens of the future are spread evenly', () => {
  const bucket = new TokenBucket(manualClock(0), { perSecond: 4, burst: 1 });
  expect([bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 250, 500]);
});
