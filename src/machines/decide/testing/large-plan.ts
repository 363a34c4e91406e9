import { instant } from '#base/time.ts';
import type { MachinePlan, PlanStep } from '#machines/decide/plan.ts';
import { repeatable } from '#machines/decide/presets.ts';
import { replay, type JournalRecord } from '#machines/decide/progress.ts';

const nodes = Array.from({ length: 400 }, (_none, at) => `node-${at}`);

const step = (number: number): PlanStep => ({
  kind: 'hook',
  id: `step-${number}`,
  title: `step-${number}`,
  condition: `EnsureStep${number}`,
  targets: nodes.map((node) => ({ node, env: [], fingerprint: '' })),
  policy: repeatable('isolate-node'),
  program: { type: 'text', name: 'script', text: '' },
  digest: '',
  argv: [],
  envNames: [],
  attachments: [],
});

/** 15 steps on 400 nodes. */
export const largePlan: MachinePlan = {
  cluster: 'large',
  operation: 'cluster.create',
  stages: [{ id: 'hooks', title: 'hooks', steps: Array.from({ length: 15 }, (_none, at) => step(at)) }],
  parallel: 20,
  onUnreachable: 'refuse',
  notes: [],
};

const result = (node: string, outcome: 'succeeded' | 'failed'): JournalRecord => ({
  type: 'result',
  at: instant(0),
  step: 'step-0',
  node,
  attempt: 1,
  outcome: outcome === 'succeeded' ? { type: outcome } : { type: outcome, message: 'exit 1', exit: 1 },
});

/** The first step failed on one node and succeeded on all others. */
export const largeProgress = replay([
  ...nodes.slice(1).map((node) => result(node, 'succeeded')),
  result('node-0', 'failed'),
]);
