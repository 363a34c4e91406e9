import { expect, test } from 'vitest';
import { seedsLines } from './seeds-lines.ts';
import { summaryOfSeeds, type SeededReports } from './seeds-summary.ts';
import { sampleReport, stoppedReport } from './testing/sample-report.ts';

const reports: SeededReports = [
  stoppedReport,
  { ...sampleReport, seed: 8, warnings: ['a warning', 'only here'] },
  { ...sampleReport, seed: 9, seconds: 300, availability: { lowest: 2, lowestAt: 0, promised: 3 } },
  { ...sampleReport, seed: 10, seconds: 200 },
];

test('outcomes by their share, with a seed that leads to each', () => {
  expect(summaryOfSeeds(reports)).toEqual({
    workload: 'gd/shop',
    namespace: 'games',
    change: 'shop: shop:1 -> shop:2',
    runs: 4,
    outcomes: [
      { type: 'Completes', runs: 3, seed: 8, message: '' },
      { type: 'Stops', runs: 1, seed: 2, message: '45 is too much' },
    ],
    durations: [
      { type: 'Completes', runs: 3, seconds: { least: 100, median: 200, p90: 300, most: 300 } },
      { type: 'Stops', runs: 1, seconds: { least: 20, median: 20, p90: 20, most: 20 } },
    ],
    lowestAvailability: { least: 2, median: 3, p90: 3, most: 3 },
    belowPromise: 1,
  });
});

test('as text, with the notes of all rehearsals', () => {
  expect(seedsLines(reports)).toEqual([
    '4 rehearsals of gd/shop in namespace games: shop: shop:1 -> shop:2',
    '       3 complete (for instance --seed 8)',
    '       1 stop: 45 is too much (for instance --seed 2)',
    'Duration of those that complete: least 1m40s, median 3m20s, 90 % within 5m, longest 5m',
    'Duration of those that stop: least 20s, median 20s, 90 % within 20s, longest 20s',
    'Lowest availability: median 3, lowest 2 of 4 pods in service; 1 rehearsal below the 3 that maxUnavailable promises',
    'Assumed:',
    '  - pauses were approved in 3 of 4 rehearsals (--approve)',
    '  - HookTemplate x was assumed to pass',
    'Warnings:',
    '  - a warning',
    '  - only here (1 of 4 rehearsals)',
    'Not run here:',
    '  - Widget w',
  ]);
});

test('without notes there are no titles of notes', () => {
  const bare = { ...sampleReport, approvals: [], assumptions: [], warnings: [], notRun: [] };
  expect(seedsLines([bare, bare])).toHaveLength(4);
});

test('control characters of a hook do not reach the terminal', () => {
  const outcome = { type: 'WaitsForApproval', message: '\u001b[2Jgone\u0007' } as const;
  expect(seedsLines([{ ...sampleReport, outcome }, sampleReport]).join('\n')).toContain('gone\\x07 (for');
});

test('budgets by the number of rehearsals that violate them', () => {
  const budgets = [
    { name: 'shop', wanted: 3, pods: 4, others: 0 },
    { name: 'all', wanted: 1, pods: 4, others: 0 },
  ];
  const low = { lowest: 2, lowestAt: 0, promised: 2 };
  expect(
    seedsLines([
      { ...sampleReport, budgets },
      { ...sampleReport, budgets, availability: low },
    ]),
  ).toEqual(
    expect.arrayContaining([
      'PodDisruptionBudgets:',
      '  - shop wants 3 in service: violated in 1 of 2 rehearsals',
      '  - all wants 1 in service: kept',
    ]),
  );
});
