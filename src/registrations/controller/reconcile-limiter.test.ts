import { expect, test } from 'vitest';
import { instant, type Clock } from '#base/time.ts';
import { ReconcileLimiter } from './reconcile-limiter.ts';

const never = (): never => {
  throw new Error('the limiter does not wait itself');
};

/** A clock that can be set while time goes on. */
const settable = () => {
  const time = { now: 1_000_000, steady: 5000 };
  const clock: Clock = {
    now: () => instant(time.now),
    steady: () => time.steady,
    sleep: never,
    after: never,
  };
  return { time, limiter: new ReconcileLimiter(clock) };
};

test('a burst is allowed, then one every two seconds', () => {
  const { time, limiter } = settable();
  const burst = Array.from({ length: 100 }, () => limiter.take(0)).filter((wait) => wait === 0).length;
  expect(burst).toBe(30);
  expect(limiter.take(0)).toBe(2000);
  time.steady += 2000;
  expect(limiter.take(0)).toBe(0);
  expect(limiter.take(0)).toBe(2000);
});

test('a clock that is set back holds nothing up', () => {
  const { time, limiter } = settable();
  expect(limiter.take(0)).toBe(0);
  time.now -= 3_600_000;
  time.steady += 1000;
  expect(limiter.take(0)).toBe(0);
});
