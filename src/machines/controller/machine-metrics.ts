import { textAt } from '#base/json.ts';
import type { Counter, Histogram, MetricDescription, Metrics, Sample } from '#base/metrics.ts';
import { parseTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { OperationEvent } from '#machines/decide/objects/operation-events.ts';
import type { OperationRunState } from '#machines/decide/objects/operation-state.ts';
import { stepsOf, taskKey } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';

const kind = 'Kind of the step: hook, install, files, remove or fetch.';
const operation = 'cluster.create, cluster.upgrade, cluster.delete, node.join, node.upgrade or node.delete.';

/** The metrics of Clusters and Machines. */
export const machineMetrics = {
  steps: {
    type: 'counter',
    name: 'boathook_machine_steps_total',
    help: 'Steps on one machine that ended, by outcome. An attempt that is repeated is counted each time.',
    labels: { kind, outcome: 'succeeded, failed, timedOut, unreachable, unknown or cancelled.' },
  },
  stepSeconds: {
    type: 'histogram',
    name: 'boathook_machine_step_duration_seconds',
    help: 'Duration of these steps.',
    labels: { kind },
    bounds: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
  },
  operations: {
    type: 'counter',
    name: 'boathook_machine_operations_total',
    help: 'Operations by outcome. A failed operation is tried again, and counted each time.',
    labels: {
      operation,
      outcome: 'Completed; Failed; Invalid: no plan can be made; Forced: removed without its machines',
    },
  },
  operationSeconds: {
    type: 'histogram',
    name: 'boathook_machine_operation_duration_seconds',
    help: 'Time from the start of an operation to its completion, with all its tries.',
    labels: { operation },
    bounds: [10, 30, 60, 300, 900, 1800, 3600, 14_400, 86_400],
  },
  phases: {
    type: 'gauge',
    name: 'boathook_machine_objects',
    help: 'Clusters and Machines by their present phase.',
    labels: { kind: 'Cluster or Machine.', phase: 'status.phase; Unknown: not reconciled yet' },
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

/** Counts what happens to operations. */
export class MachineMetrics {
  readonly #steps: Counter;
  readonly #stepSeconds: Histogram;
  readonly #operations: Counter;
  readonly #operationSeconds: Histogram;

  constructor(metrics: Metrics, operations: readonly string[]) {
    this.#steps = metrics.counter(machineMetrics.steps);
    this.#stepSeconds = metrics.histogram(machineMetrics.stepSeconds);
    this.#operations = metrics.counter(machineMetrics.operations);
    this.#operationSeconds = metrics.histogram(machineMetrics.operationSeconds);
    for (const each of operations)
      for (const outcome of ['Completed', 'Failed', 'Invalid', 'Forced'])
        this.#operations.add({ operation: each, outcome }, 0);
  }

  /** To be called with every event of an operation, and with its state before the event. */
  observe(state: OperationRunState, event: OperationEvent, now: Instant): void {
    const { operation: about, wanted } = state.about;
    if (event.type === 'recorded' && event.record.type === 'result') this.#stepEnded(state, event.record);
    const outcome = outcomeOf(state, event);
    if (outcome === undefined) return;
    this.#operations.add({ operation: wanted.kind, outcome });
    const started = parseTime(about.startedAt ?? '');
    if (outcome === 'Completed' && started !== undefined)
      this.#operationSeconds.observe({ operation: wanted.kind }, Math.max(0, now - started) / 1000);
  }

  #stepEnded(
    { plan, progress }: OperationRunState,
    record: Extract<JournalRecord, { type: 'result' }>,
  ): void {
    const steps = plan === undefined ? [] : stepsOf(plan.planned.plan);
    const step = steps.find(({ id }) => id === record.step)?.kind ?? 'unknown';
    this.#steps.add({ kind: step, outcome: record.outcome.type });
    const task = progress.tasks.get(taskKey(record.step, record.node));
    if (task?.state === 'Launched' || task?.state === 'Staging')
      this.#stepSeconds.observe({ kind: step }, Math.max(0, record.at - task.since) / 1000);
  }
}

function outcomeOf({ stage }: OperationRunState, event: OperationEvent): string | undefined {
  if (event.type === 'refused') return 'Invalid';
  if (event.type === 'saved' && stage.type === 'ended') return stage.isForced ? 'Forced' : 'Completed';
  const isFailure =
    event.type === 'segment-ended' && event.end.type === 'later' && event.end.isFailure === true;
  return isFailure ? 'Failed' : undefined;
}

/** How many objects are in each phase. */
export function phaseSamples(kindName: string, objects: readonly KubeObject[]): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const object of objects) {
    const phase = textAt(object, 'status', 'phase') ?? 'Unknown';
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  return [...counts].map(([phase, value]) => ({ labels: { kind: kindName, phase }, value }));
}
