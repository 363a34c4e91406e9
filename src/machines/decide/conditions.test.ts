import { expect, test } from 'vitest';
import { conditionsOf } from './conditions.ts';
import { largePlan, largeProgress } from './testing/large-plan.ts';

test('one condition per step; a step that waits for other nodes is Unknown', () => {
  const [first, second, ...rest] = conditionsOf(largePlan, largeProgress);
  expect(first).toEqual({ type: 'EnsureStep0', status: 'False', reason: 'FailedInit', message: 'exit 1' });
  expect(second).toMatchObject({ type: 'EnsureStep1', status: 'Unknown', reason: 'Waiting' });
  expect(rest).toHaveLength(13);
});

test('the conditions of 400 nodes and 15 steps take less than 50 ms', () => {
  const times = Array.from({ length: 5 }, () => {
    const start = process.threadCpuUsage();
    conditionsOf(largePlan, largeProgress);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  // Processor time, and the best of several: the machine may be busy.
  expect(Math.min(...times)).toBeLessThan(50);
});
