import { expect, test } from 'vitest';
import { createMetrics } from '#edge/metrics.ts';
import { instant, later, seconds } from '#base/time.ts';
import { advanceOperation } from '#machines/decide/objects/advance-operation.ts';
import type { OperationEvent } from '#machines/decide/objects/operation-events.ts';
import { startOperation, type OperationPlan } from '#machines/decide/objects/operation-state.ts';
import { MachineMetrics, phaseSamples } from './machine-metrics.ts';

const now = instant(1_700_000_000_000);
const steps = [{ id: 'pre', kind: 'hook' }];
const plan = {
  planned: { plan: { stages: [{ steps }] }, segments: [{ type: 'stages', plan: {} }] },
  prepared: {},
} as never as OperationPlan;
const attempt = { step: 'pre', node: 'a', attempt: 1 };
const passed: OperationEvent = { type: 'segment-ended', end: { type: 'passed' } };

/** What is counted of these events; each happens a second after the one before. */
async function counted(events: readonly OperationEvent[]): Promise<readonly string[]> {
  const metrics = createMetrics({ ofProcess: false });
  const counting = new MachineMetrics(metrics, ['cluster.create']);
  const object = { metadata: { name: 'one' }, status: {} };
  const start = { object, isCluster: true, generation: 1, isEdited: false, holder: 'me', tag: 'abcdef' };
  let state = startOperation({ ...start, wanted: { kind: 'cluster.create', nodes: [] } }, now);
  for (const [index, event] of events.entries()) {
    const at = later(now, seconds(index + 1));
    counting.observe(state, event, at);
    ({ state } = advanceOperation(state, event, at));
  }
  return (await metrics.text())
    .split('\n')
    .filter((line) => /^boathook_machine_\w+_(?:total|sum)\{.*(?<! 0)$/.test(line))
    .map((line) => line.replace('boathook_machine_', ''));
}

test('steps with their duration, and the operation once its end is written', async () => {
  const at = (index: number) => later(now, seconds(index));
  expect(
    await counted([
      { type: 'started' },
      { type: 'planned', plan },
      { type: 'claimed' },
      { type: 'recorded', record: { type: 'intent', at: at(4), fingerprint: 'x', ...attempt } },
      {
        type: 'recorded',
        record: { type: 'result', at: at(7), outcome: { type: 'failed', message: 'exit 1' }, ...attempt },
      },
      passed,
      { type: 'completed', changes: {} },
      { type: 'saved' },
    ]),
  ).toEqual([
    'steps_total{kind="hook",outcome="failed"} 1',
    'step_duration_seconds_sum{kind="hook"} 3',
    'operations_total{operation="cluster.create",outcome="Completed"} 1',
    'operation_duration_seconds_sum{operation="cluster.create"} 8',
  ]);
});

test.for<[string, readonly OperationEvent[], readonly string[]]>([
  [
    'a failure that is tried again',
    [
      { type: 'started' },
      { type: 'planned', plan },
      { type: 'claimed' },
      {
        type: 'segment-ended',
        end: {
          type: 'later',
          isFailure: true,
          trouble: { reason: 'Failed', message: 'no', isFailure: true },
        },
      },
      { type: 'saved' },
    ],
    ['operations_total{operation="cluster.create",outcome="Failed"} 1'],
  ],
  [
    'a spec from which no plan can be made',
    [{ type: 'started' }, { type: 'refused', problems: [], isForced: false }],
    ['operations_total{operation="cluster.create",outcome="Invalid"} 1'],
  ],
  [
    'a pause is no failure',
    [
      { type: 'started' },
      { type: 'planned', plan },
      { type: 'claimed' },
      { type: 'segment-ended', end: { type: 'later' } },
      { type: 'saved' },
    ],
    [],
  ],
])('%s', async ([, events, expected]) => {
  expect(await counted(events)).toEqual(expected);
});

test('phases of objects', () => {
  const objects = [{ status: { phase: 'Running' } }, { status: { phase: 'Running' } }, {}];
  expect(phaseSamples('Cluster', objects)).toEqual([
    { labels: { kind: 'Cluster', phase: 'Running' }, value: 2 },
    { labels: { kind: 'Cluster', phase: 'Unknown' }, value: 1 },
  ]);
});
