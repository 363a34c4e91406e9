import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { conditionsOf } from './conditions.ts';
import type { Plan, Step } from './plan.ts';
import { repeatable } from './presets.ts';
import { replay, type JournalRecord } from './progress.ts';

const nodes = Array.from({ length: 400 }, (_none, at) => `node-${at}`);

const step = (number: number): Step => ({
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

const plan: Plan = {
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

const progress = replay([
  ...nodes.slice(1).map((node) => result(node, 'succeeded')),
  result('node-0', 'failed'),
]);

test('one condition per step; a step that waits for other nodes is Unknown', () => {
  const [first, second, ...rest] = conditionsOf(plan, progress);
  expect(first).toEqual({ type: 'EnsureStep0', status: 'False', reason: 'FailedInit', message: 'exit 1' });
  expect(second).toMatchObject({ type: 'EnsureStep1', status: 'Unknown', reason: 'Waiting' });
  expect(rest).toHaveLength(13);
});

test('the conditions of 400 nodes and 15 steps take less than 50 ms', () => {
  const times = Array.from({ length: 5 }, () => {
    const start = process.threadCpuUsage();
    conditionsOf(plan, progress);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  // Processor time, and the best of several: the machine may be busy.
  expect(Math.min(...times)).toBeLessThan(50);
});
