import { expect, test } from 'vitest';
import { budgetLines } from './budget-lines.ts';
import { sampleReport } from './testing/sample-report.ts';

const lineOf = (wanted: number, isScaledOnly: boolean): string | undefined =>
  budgetLines({ ...sampleReport, isScaledOnly, budgets: [{ name: 'b', wanted, pods: 4, others: 0 }] })[0];

test.for([
  { wanted: 3, line: 'PodDisruptionBudget b wants 3 in service and is kept.' },
  {
    wanted: 4,
    line: 'PodDisruptionBudget b is violated: it wants 4 in service, and 3 are at 0:00; updates that replace pods go by maxUnavailable alone, so lower that.',
  },
  {
    wanted: 5,
    line: 'PodDisruptionBudget b cannot be met: it wants 5 in service, and there are only 4 pods; it allows no eviction and no update in place then, so lower what it wants.',
  },
])('a budget of $wanted with 3 of 4 pods in service', ({ wanted, line }) => {
  expect(lineOf(wanted, false)).toBe(line);
});

test('maxUnavailable is no remedy where no template changes', () => {
  expect(lineOf(4, true)).toMatch(/^PodDisruptionBudget b is violated: .* 3 are at 0:00\.$/);
});
