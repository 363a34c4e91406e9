import { expect, test } from 'vitest';
import { parseTime, type Instant } from '#base/time.ts';
import { countdown, relativeTime } from './show-time.ts';

const now = parseTime('2026-11-16T00:00:00Z') as Instant;

test.for([
  ['2026-11-16T00:00:45Z', '0:45', 'in 45s'],
  ['2026-11-16T00:00:02Z', '0:02', '0s ago'],
  ['2026-11-16T01:02:03Z', '1:02:03', 'in 62m'],
  ['2026-11-15T23:58:00Z', '0:00', '2m ago'],
  ['soon', '0:00', ''],
] as const)('%s: %s left, %s', ([text, left, relative]) => {
  expect(countdown(text, now)).toBe(left);
  expect(relativeTime(text, now)).toBe(relative);
});
