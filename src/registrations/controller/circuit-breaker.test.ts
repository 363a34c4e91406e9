import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const never = new AbortController().signal;

test('after five failures it rests, lets one try for all, and opens again when that succeeds', async () => {
  const clock = manualClock(0);
  const breaker = new CircuitBreaker(clock, seededRandom(1));
  for (let failures = 0; failures < 5; failures += 1) {
    expect(await breaker.pass('a', never)).toEqual({ type: 'go' });
    breaker.failed('a');
  }
  expect(await breaker.pass('a', never)).toMatchObject({ type: 'rest' });
  breaker.failed('a');
  clock.advance(seconds(8));
  expect(await breaker.pass('a', never)).toEqual({ type: 'go' });
  const other = breaker.pass('a', never);
  breaker.failed('a');
  expect(await other).toMatchObject({ type: 'rest' });
  clock.advance(seconds(16));
  expect(await breaker.pass('a', never)).toEqual({ type: 'go' });
  breaker.abandoned('a');
  expect(await breaker.pass('a', never)).toEqual({ type: 'go' });
  breaker.succeeded();
  expect(await Promise.all([breaker.pass('a', never), breaker.pass('a', never)])).toEqual([
    { type: 'go' },
    { type: 'go' },
  ]);
});

test('those who are turned away come out one after another', async () => {
  const clock = manualClock(0);
  const breaker = new CircuitBreaker(clock, seededRandom(1));
  for (let failures = 0; failures < 5; failures += 1) breaker.failed('a');
  let away = 0;
  for (let callers = 0; callers < 90; callers += 1) void breaker.pass('a', never).then(() => (away += 1));
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(away).toBe(10);
  clock.advance(seconds(1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(away).toBe(50);
});

test('a clock that is set back does not keep it open', async () => {
  const clock = manualClock(10_000_000);
  const steady = manualClock(0);
  const both = { ...clock, steady: () => steady.now() };
  const breaker = new CircuitBreaker(both, seededRandom(1));
  for (let failures = 0; failures < 5; failures += 1) breaker.failed('a');
  expect(breaker.isOpen).toBe(true);
  clock.advance(seconds(-3600));
  steady.advance(seconds(8));
  expect(await breaker.pass('a', never)).toEqual({ type: 'go' });
});
