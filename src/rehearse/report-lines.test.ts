import { expect, test } from 'vitest';
import type { RehearsalReport } from './rehearsal-report.ts';
import { reportHtml } from './report-html.ts';
import { reportLines } from './report-lines.ts';

const report: RehearsalReport = {
  workload: 'gd/shop',
  namespace: 'games',
  change: 'shop: shop:1 -> shop:2',
  strategy: 'InplaceUpdate',
  replicas: 4,
  isScaledOnly: false,
  seed: 7,
  outcome: {
    type: 'Stops',
    reason: 'PausedByStepBasedHook',
    message: '45 is too much',
    remedies: ['abort'],
    step: 2,
  },
  seconds: 3723,
  steps: [
    { number: 1, title: 'partition 3', state: 'done', startedAt: 0, endedAt: 30, updated: 1, lowest: 3 },
    { number: 2, title: 'hook test', state: 'failed', startedAt: 30, updated: 1, lowest: 4 },
    { number: 3, title: 'partition 0', state: 'to come', updated: 1 },
  ],
  hooks: [
    {
      name: 'r',
      template: 'test',
      point: 'canary-step',
      step: 2,
      phase: 'Failed',
      message: '',
      calls: [{ at: 3723, metric: 'age', phase: 'Failed', value: '45', because: '45 < 30 is false' }],
    },
  ],
  approvals: [{ at: 30, step: 1 }],
  pods: [
    { at: 0, updated: 0, updatedInService: 0, others: 4, othersInService: 3 },
    { at: 30, updated: 1, updatedInService: 1, others: 3, othersInService: 3 },
  ],
  availability: { lowest: 3, lowestAt: 0, promised: 4 },
  budgets: [
    { name: 'shop', wanted: 4, pods: 4, others: 0 },
    { name: 'all', wanted: 2, pods: 4, others: 0 },
  ],
  assumptions: ['HookTemplate x was assumed to pass'],
  warnings: ['a warning'],
  notRun: ['Widget w'],
};

test('a report as text', () => {
  expect(reportLines(report)).toEqual([
    'Rehearsal of gd/shop in namespace games: shop: shop:1 -> shop:2',
    '4 pods, InplaceUpdate, 3 canary steps, seed 7',
    '',
    '     0:00  the template is changed',
    '     0:00  step 1/3  partition 3       takes 30s  1 of 4 updated  at least 3 in service',
    '     0:30  approved (assumed)',
    '     0:30  step 2/3  hook test         does not end  1 of 4 updated  at least 4 in service',
    '  1:02:03  hook test, age: 45 Failed (45 < 30 is false)',
    '  1:02:03  stopped',
    '',
    'The release would stop at step 2/3 after 1h2m3s: 45 is too much',
    'Lowest availability: 3 of 4 pods in service at 0:00; fewer than the 4 that maxUnavailable promises.',
    'PodDisruptionBudget shop is violated: it wants 4 in service, and 3 are at 0:00; updates that replace pods go by maxUnavailable alone, so lower that.',
    'PodDisruptionBudget all wants 2 in service and is kept.',
    'In a real release you could:',
    '  - abort',
    'Assumed:',
    '  - the pause of step 1 was approved at 0:30 (--approve)',
    '  - HookTemplate x was assumed to pass',
    'Warnings:',
    '  - a warning',
    'Not run here:',
    '  - Widget w',
  ]);
});

test('a release without steps: pods of both revisions, and those that a partition keeps', () => {
  const lines = reportLines({
    ...report,
    outcome: { type: 'Completes' },
    seconds: 30,
    steps: [],
    hooks: [],
    approvals: [],
    budgets: [],
  });
  expect(lines).toContain('     0:00  update  takes 30s  1 of 4 updated  at least 3 in service');
  expect(lines).toContain('The release would complete after 30s: 3 of 4 pods stay on the old revision.');
});

test('texts of manifests and hooks are text on the page', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='x'>`;
  const page = reportHtml([
    {
      ...report,
      workload: hostile,
      change: hostile,
      warnings: [hostile],
      hooks: [
        { ...report.hooks[0]!, template: hostile, calls: [{ at: 1, metric: hostile, phase: hostile }] },
      ],
    },
  ]);
  expect(page).not.toMatch(/<script|<img|onerror='/);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});
