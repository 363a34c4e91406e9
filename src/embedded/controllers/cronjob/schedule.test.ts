import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, instant, parseTime, type Instant } from '#base/time.ts';
import { nextTime, parseSchedule, ScheduleError } from './schedule.ts';
import { knownZones } from './time-zones.ts';

const time = (text: string): Instant => parseTime(text) ?? instant(0);
const next = (schedule: string, from: string, zone = 'UTC'): string => {
  const offset = knownZones(zone);
  if (offset === undefined) throw new Error(`nobody knows ${zone}`);
  const found = nextTime(parseSchedule(schedule), time(from), offset);
  return found === undefined ? 'never' : formatTime(found);
};

test.for([
  ['* * * * *', '2026-01-05T12:00:30Z', '2026-01-05T12:01:00Z'],
  ['* * * * *', '2026-01-05T12:00:00Z', '2026-01-05T12:01:00Z'],
  ['*/15 * * * *', '2026-01-05T12:01:00Z', '2026-01-05T12:15:00Z'],
  ['5/20 * * * *', '2026-01-05T12:01:00Z', '2026-01-05T12:05:00Z'],
  ['0 9-17/4 * * *', '2026-01-05T10:00:00Z', '2026-01-05T13:00:00Z'],
  ['30 4 1,15 * *', '2026-01-05T12:00:00Z', '2026-01-15T04:30:00Z'],
  ['0 0 * * MON-FRI', '2026-01-09T12:00:00Z', '2026-01-12T00:00:00Z'],
  ['0 0 * * sun', '2026-01-05T00:00:00Z', '2026-01-11T00:00:00Z'],
  ['0 0 13 * 5', '2026-01-05T00:00:00Z', '2026-01-09T00:00:00Z'],
  ['0 0 13 * *', '2026-01-05T00:00:00Z', '2026-01-13T00:00:00Z'],
  ['0 0 29 feb *', '2026-01-05T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['0 0 30 2 *', '2026-01-05T00:00:00Z', 'never'],
  ['@hourly', '2026-01-05T12:00:30Z', '2026-01-05T13:00:00Z'],
  ['@weekly', '2026-01-05T12:00:30Z', '2026-01-11T00:00:00Z'],
  ['@yearly', '2026-01-05T12:00:30Z', '2027-01-01T00:00:00Z'],
  ['@every 1h30m', '2026-01-05T12:00:30Z', '2026-01-05T13:30:30Z'],
] as const)('%s after %s is %s', ([schedule, from, expected]) => {
  expect(next(schedule, from)).toBe(expected);
});

test.for([
  ['0 9 * * *', '2026-07-01T00:00:00Z', 'Europe/Berlin', '2026-07-01T07:00:00Z'],
  ['0 9 * * *', '2026-01-01T00:00:00Z', 'Europe/Berlin', '2026-01-01T08:00:00Z'],
  ['0 0 * * *', '2026-01-01T00:00:00Z', 'Asia/Kolkata', '2026-01-01T18:30:00Z'],
  ['30 1 * * *', '2026-06-01T12:00:00Z', 'America/New_York', '2026-06-02T05:30:00Z'],
  // A step is a choice of days: either will do.
  ['0 0 */2 * 1', '2026-01-05T12:00:00Z', 'UTC', '2026-01-07T00:00:00Z'],
  ['0 0 */1 * 1', '2026-01-05T12:00:00Z', 'UTC', '2026-01-12T00:00:00Z'],
  // An hour that the clock skips does not come that day.
  ['30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-30T00:30:00Z'],
  // The days on which clocks change are shorter or longer, and the night after them is not skipped.
  ['15 0 * * 1', '2026-03-07T12:00:00Z', 'America/New_York', '2026-03-09T04:15:00Z'],
  ['15 0 * * 1', '2026-10-30T12:00:00Z', 'America/New_York', '2026-11-02T05:15:00Z'],
  ['0 0 30 3 *', '2026-01-01T00:00:00Z', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
  // A midnight that the clock skips: the day begins at one.
  ['0 1 26 4 *', '2024-04-01T00:00:00Z', 'Africa/Cairo', '2024-04-25T22:00:00Z'],
  ['0 0 27 4 *', '2024-04-01T00:00:00Z', 'Africa/Cairo', '2024-04-26T21:00:00Z'],
] as const)('%s after %s in %s', ([schedule, from, zone, expected]) => {
  expect(next(schedule, from, zone)).toBe(expected);
});

test('an unknown time zone is refused', () => {
  expect(knownZones('Mars/Olympus')).toBeUndefined();
});

test.for([
  '* * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '*/0 * * * *',
  '5-1 * * * *',
  'x * * * *',
  '1/2/3 * * * *',
  '1-2-3 * * * *',
  '@never',
  '@every soon',
])('%s is no schedule', (text) => {
  expect(() => parseSchedule(text)).toThrow(ScheduleError);
});

test('the next time is the first that matches: nothing in between does', () => {
  const part = (least: number, most: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: least, max: most }).map(String),
      fc.integer({ min: 1, max: 30 }).map((step) => `*/${step}`),
    );
  const property = fc.property(
    part(0, 59),
    part(0, 23),
    fc.integer({ min: 0, max: 10_000_000 }),
    (minute, hour, shift) => {
      const schedule = parseSchedule(`${minute} ${hour} * * *`);
      const from = instant(time('2026-01-05T12:00:00Z') + shift * 1000);
      const found = nextTime(schedule, from, () => 0) ?? instant(0);
      expect(found).toBeGreaterThan(from);
      expect(nextTime(schedule, instant(found - 1), () => 0)).toBe(found);
      expect(nextTime(schedule, instant((from + found) / 2), () => 0)).toBe(found);
    },
  );
  fc.assert(property);
});
