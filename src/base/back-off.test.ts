import { expect, test } from 'vitest';
import { backOff, exponentialDelay } from './back-off.ts';
import { minutes, seconds } from './time.ts';

test.for([
  [1, 0, 5],
  [1, 0.5, 6.25],
  [2, 0, 10],
  [5, 0, 80],
  [14, 0, 40_960],
  [15, 0, 60_000],
  [5000, 0, 60_000],
] as const)('after %d failures and by chance %d: %d ms', ([failures, chance, span]) => {
  expect(backOff(failures, chance)).toBe(span);
});

test.for([
  [0, 0],
  [1, 10],
  [2, 20],
  [5, 160],
  [6, 300],
  [5000, 300],
] as const)('after %d failures a delay of %d seconds without jitter', ([failures, delay]) => {
  expect(exponentialDelay(failures, { first: seconds(10), longest: minutes(5) })).toBe(delay * 1000);
});
