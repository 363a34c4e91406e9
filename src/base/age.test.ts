import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageSince, formatAge, momentOf } from './age.ts';
import { instant, millis, seconds } from './time.ts';

const minute = 60;
const hour = 3600;
const day = 24 * hour;
const year = 365 * day;

test.for([
  [0, '0s'],
  [0.9, '0s'],
  [-1.9, '0s'],
  [-2, '<invalid>'],
  [-3600, '<invalid>'],
  [1, '1s'],
  [119, '119s'],
  [120, '2m'],
  [182, '3m2s'],
  [10 * minute - 1, '9m59s'],
  [10 * minute, '10m'],
  [10 * minute + 59, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 5 * minute + 30, '7h5m'],
  [8 * hour + 59 * minute, '8h'],
  [48 * hour - 1, '47h'],
  [48 * hour, '2d'],
  [5 * day + 4 * hour, '5d4h'],
  [8 * day - 1, '7d23h'],
  [8 * day + hour, '8d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [3 * year + 7 * day, '3y7d'],
  [8 * year - 1, '7y364d'],
  [8 * year + 100 * day, '8y'],
  [Number.NaN, '<invalid>'],
] as const)('%d seconds read %s', ([span, text]) => {
  expect(formatAge(seconds(span))).toBe(text);
});

const inSeconds: Readonly<Record<string, number>> = { s: 1, m: minute, h: hour, d: day, y: year };
const worth = (text: string): number =>
  [...text.matchAll(/(\d+)([smhdy])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * inSeconds[unit!]!,
    0,
  );

test('an age names no more than the span and never less than a shorter one', () => {
  const span = fc.integer({ min: 0, max: 20 * year });
  fc.assert(
    fc.property(span, span, (left, right) => {
      const [short, long] = [Math.min(left, right), Math.max(left, right)];
      const shown = worth(formatAge(seconds(long)));
      expect(shown).toBeLessThanOrEqual(long);
      expect(worth(formatAge(seconds(short)))).toBeLessThanOrEqual(shown);
    }),
  );
});

test('every number gives a text', () => {
  fc.assert(
    fc.property(fc.double(), (span) => {
      expect(formatAge(millis(span))).toMatch(/^(<invalid>|\d.*[smhdy])$/);
    }),
  );
});

test('a moment that is not there has an unknown age', () => {
  const now = instant(1_000_000);
  expect(ageSince(undefined, now)).toBe('<unknown>');
  expect(ageSince(instant(955_000), now)).toBe('45s');
});

test.for([[undefined], [null], [7], [''], ['soon'], ['0001-01-01T00:00:00Z']])(
  '%j names no moment',
  ([value]) => {
    expect(momentOf(value)).toBeUndefined();
  },
);

test('a timestamp names its moment, however often it is asked', () => {
  expect(momentOf('1970-01-01T00:00:02Z')).toBe(2000);
  expect(momentOf('1970-01-01T00:00:02Z')).toBe(2000);
});
