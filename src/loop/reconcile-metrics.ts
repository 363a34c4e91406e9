import type { MetricDescription, Metrics } from '#base/metrics.ts';
import type { Clock } from '#base/time.ts';
import type { Next, WorkQueue } from './work-queue.ts';

const controller = 'Name of the controller, as in --controllers.';

/** The metrics of every controller. */
export const reconcileMetrics = {
  runs: {
    type: 'counter',
    name: 'boathook_reconciliations_total',
    help: 'Reconciliations of a controller by outcome.',
    labels: { controller, outcome: 'done; failed: retried later' },
  },
  seconds: {
    type: 'histogram',
    name: 'boathook_reconciliation_duration_seconds',
    help: 'Duration of these reconciliations. That of a cluster or machine includes its operation.',
    labels: { controller },
    bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120],
  },
  depth: {
    type: 'gauge',
    name: 'boathook_work_queue_depth',
    help: 'Objects that wait to be reconciled. Those that wait for their time are not counted.',
    labels: { controller },
  },
  running: {
    type: 'gauge',
    name: 'boathook_work_queue_running',
    help: 'Objects that are reconciled at this moment.',
    labels: { controller },
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

type Reconcile = (key: string, signal: AbortSignal) => Promise<Next>;
type About = { readonly metrics: Metrics; readonly name: string; readonly clock: Clock };

/** The same function, with its runs counted and timed under the name of its controller. */
export function measuredReconcile(reconcile: Reconcile, { metrics, name, clock }: About): Reconcile {
  const runs = metrics.counter(reconcileMetrics.runs);
  const seconds = metrics.histogram(reconcileMetrics.seconds);
  const [own, done, failed] = [
    { controller: name },
    { controller: name, outcome: 'done' },
    { controller: name, outcome: 'failed' },
  ];
  for (const labels of [done, failed]) runs.add(labels, 0);
  return async (key, signal) => {
    const began = clock.now();
    try {
      const next = await reconcile(key, signal);
      runs.add(done);
      return next;
    } catch (error) {
      if (!signal.aborted) runs.add(failed);
      throw error;
    } finally {
      seconds.observe(own, (clock.now() - began) / 1000);
    }
  };
}

/** Shows how full a queue is. Returns how to end it. */
export function measureQueue(
  queue: Pick<WorkQueue, 'depth' | 'running'>,
  { metrics, name }: Pick<About, 'metrics' | 'name'>,
): () => void {
  const labels = { controller: name };
  const ends = [
    metrics.sampled(reconcileMetrics.depth, () => [{ labels, value: queue.depth }]),
    metrics.sampled(reconcileMetrics.running, () => [{ labels, value: queue.running }]),
  ];
  return () => {
    for (const end of ends) end();
  };
}
