import { expect, test } from 'vitest';
import { notesOf } from './run-notes.ts';

test.for([
  ['Successful', 'Normal', 'Complete'],
  ['Inconclusive', 'Normal', 'Complete'],
  ['Failed', 'Warning', 'Failed'],
  ['Error', 'Warning', 'Failed'],
] as const)('a metric and a run that end %s are recorded as %s %s', ([phase, type, reason]) => {
  const after = { phase, metricResults: [{ name: 'm', phase, message: 'so it is' }] };
  expect(notesOf('r', { phase: 'Running' }, after)).toEqual([
    { type, reason, message: `Metric m ended ${phase}: so it is` },
    { type, reason, message: `Hook run r ended ${phase}` },
  ]);
});

test('what was reported before, or has not ended, is not reported', () => {
  const done = { name: 'a', phase: 'Successful' as const };
  const before = { phase: 'Running' as const, metricResults: [done] };
  const after = {
    phase: 'Running' as const,
    metricResults: [done, { name: 'b', phase: 'Running' as const }],
  };
  expect(notesOf('r', before, after)).toEqual([]);
  expect(notesOf('r', { phase: 'Failed' }, { phase: 'Failed' })).toEqual([]);
});
