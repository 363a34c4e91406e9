import { expect, test } from 'vitest';
import { worstExitCode } from './worst-exit-code.ts';

test.for([
  [[0], 0],
  [[0, 4, 0], 4],
  [[0, 4, 1], 1],
  [[1, 4], 1],
] as const)('of %j it is %i', ([codes, worst]) => {
  expect(worstExitCode(codes)).toBe(worst);
});

test('as many codes as there are rehearsals', () => {
  expect(worstExitCode([...Array.from({ length: 1_000_000 }, () => 0), 4])).toBe(4);
});
