import { expect, test } from 'vitest';
import { instant, type Clock } from '#base/time.ts';
import { readingOf, timeSince } from './clock-reading.ts';

/** Two clocks, each moved on its own. */
function clocks() {
  const at = { now: 1_000_000, steady: 5000 };
  const clock: Pick<Clock, 'now' | 'steady'> = { now: () => instant(at.now), steady: () => at.steady };
  return { at, clock: clock as Clock };
}

test.for([
  ['both run', { now: 7000, steady: 7000 }, 7000],
  ['a suspended machine, whose steady clock stood', { now: 60_000, steady: 10 }, 60_000],
  ['a set clock that was put back', { now: -3_600_000, steady: 12_000 }, 12_000],
  ['a set clock that was put forward', { now: 3_600_000, steady: 12_000 }, 3_600_000],
] as const)('time since a moment is never too short: %s', ([, moved, expected]) => {
  const { at, clock } = clocks();
  const moment = readingOf(clock);
  at.now += moved.now;
  at.steady += moved.steady;
  expect(timeSince(clock, moment)).toBe(expected);
});
