import { expect, test } from 'vitest';
import { backOff } from './back-off.ts';

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
