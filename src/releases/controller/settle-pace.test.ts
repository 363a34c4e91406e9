import { expect, test } from 'vitest';
import { instant, millis } from '#base/time.ts';
import { SettlePace } from './settle-pace.ts';

function paceAt(start: number) {
  const time = { now: start };
  const clock = { now: () => instant(time.now) } as ConstructorParameters<typeof SettlePace>[0];
  return { time, pace: new SettlePace(clock) };
}

test('the first attempt begins at once, and each later one waits twice as long as the one before', () => {
  const { time, pace } = paceAt(1000);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const wait = pace.begin('default/g');
    waits.push(wait);
    time.now += wait;
    if (wait > 0) expect(pace.begin('default/g')).toBe(0);
  }
  expect(waits).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});

test('an attempt that waits is none, workloads do not wait for each other, and what is settled begins anew', () => {
  const { time, pace } = paceAt(1000);
  expect(pace.begin('default/g')).toBe(0);
  time.now += 40;
  expect([pace.begin('default/g'), pace.begin('default/g'), pace.begin('default/other')]).toEqual([
    60, 60, 0,
  ]);
  pace.done('default/g');
  expect(pace.begin('default/g')).toBe(0);
});

test('a clock that was set back does not prolong the wait', () => {
  const { time, pace } = paceAt(10_000_000);
  expect(pace.begin('default/g')).toBe(0);
  time.now -= 3_600_000;
  expect(pace.begin('default/g')).toBe(millis(0));
});
