import { expect, test } from 'vitest';
import { downtimeText, seedsWarnings } from './downtime-text.ts';
import type { OperationReport } from './operation-report.ts';

const reportOf = (warnings: readonly string[], to?: number): OperationReport => {
  const downtime = to === undefined ? {} : { downtime: { node: 'm1', from: 0, to } };
  const down = 'downtime' in downtime ? [downtimeText(downtime.downtime)] : [];
  return { ...downtime, warnings: [...warnings, ...down] } as Partial<OperationReport> as OperationReport;
};

test('the downtimes of many rehearsals are one line', () => {
  expect(seedsWarnings([reportOf(['a'], 60), reportOf(['a', 'b'], 90), reportOf(['a'], 120)])).toEqual([
    'a',
    'b (1 of 3 rehearsals)',
    'm1 is the only control plane: its API server does not answer for up to 2m, median 1m30s',
  ]);
});

test('it names the number where not all have one', () => {
  expect(seedsWarnings([reportOf([], 60), reportOf([])])).toEqual([
    'm1 is the only control plane: its API server does not answer for up to 1m in 1 of 2 rehearsals, median 1m',
  ]);
});
