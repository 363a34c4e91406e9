import { expect, test } from 'vitest';
import { seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { rateLimitedReport } from './rate-limited-report.ts';

test('a frequent message is counted, others are reported', () => {
  const clock = manualClock(0);
  const told: string[] = [];
  const report = rateLimitedReport(
    (message, fields, level) => told.push(`${level} ${message} ${JSON.stringify(fields)}`),
    clock,
  );
  for (let count = 0; count < 1000; count += 1) report('dropped', { count }, 'warn');
  report('other', {}, 'info');
  expect(told).toHaveLength(11);
  clock.advance(seconds(10));
  report('dropped', { count: 1000 }, 'warn');
  expect(told.at(-1)).toBe('warn dropped {"count":1000,"alsoUntold":990}');
});
