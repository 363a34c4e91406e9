import { expect, test } from 'vitest';
import { durationPattern, formatDuration, parseDuration } from './duration.ts';
import { millis } from './time.ts';

test.for([
  ['60s', 60_000],
  ['1m30s', 90_000],
  ['500ms', 500],
  ['1.5h', 5_400_000],
  ['0', 0],
  ['0s', 0],
  ['250us', 0.25],
  ['.5s', 500],
] as const)('%s is understood', ([text, span]) => {
  expect(parseDuration(text)).toBe(span);
});

test.for(['', '60', '-5s', '5 s', '1d', 's', '1h-5m', '5S', '00', `${'1'.repeat(70)}s`])(
  '%s is no span',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test.for([
  [0, '0s'],
  [500, '500ms'],
  [1500, '1.5s'],
  [90_000, '1m30s'],
  [3_600_000, '1h'],
  [3_661_001, '1h1m1.001s'],
] as const)('%d ms is printed as %s', ([span, text]) => {
  expect(formatDuration(millis(span))).toBe(text);
  expect(parseDuration(text)).toBe(span);
});

test('what the pattern of schemas accepts is understood', () => {
  const pattern = new RegExp(durationPattern);
  for (const text of ['60s', '1m30s', '1.5h', '0', '500ms']) expect(pattern.test(text)).toBe(true);
  for (const text of ['', '60', '-5s', '1d']) expect(pattern.test(text)).toBe(false);
});
