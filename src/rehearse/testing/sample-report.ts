import type { RehearsalReport } from '#rehearse/rehearsal-report.ts';

/** A release that completes. */
export const sampleReport: RehearsalReport = {
  workload: 'gd/shop',
  namespace: 'games',
  change: 'shop: shop:1 -> shop:2',
  strategy: 'InplaceUpdate',
  replicas: 4,
  isScaledOnly: false,
  seed: 1,
  outcome: { type: 'Completes' },
  seconds: 100,
  steps: [
    { number: 1, title: 'partition 3', state: 'done', startedAt: 0, endedAt: 30, updated: 1, lowest: 3 },
    { number: 2, title: 'pause', state: 'done', startedAt: 30, endedAt: 30, updated: 1, lowest: 4 },
  ],
  hooks: [],
  approvals: [{ at: 30, step: 2 }],
  pods: [
    { at: 0, updated: 0, updatedInService: 0, others: 4, othersInService: 3 },
    { at: 30, updated: 1, updatedInService: 1, others: 3, othersInService: 3 },
  ],
  availability: { lowest: 3, lowestAt: 0, promised: 3 },
  budgets: [],
  assumptions: ['HookTemplate x was assumed to pass'],
  warnings: ['a warning'],
  notRun: ['Widget w'],
};

/** A release that stops at step 1. */
export const stoppedReport: RehearsalReport = {
  ...sampleReport,
  seed: 2,
  outcome: {
    type: 'Stops',
    reason: 'PausedByStepBasedHook',
    message: '45 is too much',
    remedies: ['abort'],
    step: 1,
  },
  approvals: [],
  seconds: 20,
};
