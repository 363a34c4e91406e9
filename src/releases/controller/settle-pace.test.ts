import { expect, test } from 'vitest';
import { instant, millis } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { SettlePace } from './settle-pace.ts';

const one = { ids: ['a'], generation: 1 };

function paceAt(start: number) {
  const clock = manualClock(instant(start));
  return { clock, pace: new SettlePace(clock) };
}

test('the first attempt begins at once, and each later one waits twice as long as the one before', () => {
  const { clock, pace } = paceAt(1000);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const wait = pace.begin('default/g', one);
    waits.push(wait);
    clock.advance(wait);
    if (wait > 0) expect(pace.begin('default/g', one)).toBe(0);
  }
  expect(waits).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect(pace.count('default/g')).toBe(10);
});

test('an attempt that waits is none, and workloads do not wait for each other', () => {
  const { clock, pace } = paceAt(1000);
  expect(pace.begin('default/g', one)).toBe(0);
  clock.advance(millis(40));
  const waits = ['default/g', 'default/g', 'default/other'].map((key) => pace.begin(key, one));
  expect(waits).toEqual([60, 60, 0]);
  expect(pace.count('default/g')).toBe(1);
});

test.for([
  { what: 'nothing is lost any more', next: { ids: [], generation: 1 } },
  { what: 'its user has changed the spec', next: { ids: ['a'], generation: 2 } },
  { what: 'another write was lost, and not the first one', next: { ids: ['b'], generation: 1 } },
])('an attempt does not wait for earlier ones when $what', ({ next }) => {
  const { pace } = paceAt(1000);
  expect([pace.begin('default/g', one), pace.begin('default/g', one)]).toEqual([0, 100]);
  expect(pace.begin('default/g', next)).toBe(0);
  expect(pace.count('default/g')).toBe(next.ids.length);
});

test('the write that was lost most often decides', () => {
  const { clock, pace } = paceAt(1000);
  expect(pace.begin('default/g', one)).toBe(0);
  clock.advance(millis(100));
  expect(pace.begin('default/g', { ids: ['a', 'b'], generation: 1 })).toBe(0);
  expect(pace.begin('default/g', { ids: ['a', 'b'], generation: 1 })).toBe(200);
  expect(pace.begin('default/g', { ids: ['b'], generation: 1 })).toBe(100);
});

test('a clock that was set back does not prolong the wait', () => {
  let now = 10_000_000;
  const { clock } = paceAt(0);
  const pace = new SettlePace({ ...clock, now: () => instant(now) });
  expect(pace.begin('default/g', one)).toBe(0);
  now -= 3_600_000;
  expect(pace.begin('default/g', one)).toBe(0);
});
