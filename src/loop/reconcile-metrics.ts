import type { Metrics } from '#base/metrics.ts';
import type { Clock } from '#base/time.ts';
import type { Next } from './work-queue.ts';

const labels = ['controller'];
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120];

type Reconcile = (key: string, signal: AbortSignal) => Promise<Next>;

/** The same function, with its runs counted and timed under the name of its controller. */
export function measuredReconcile(
  reconcile: Reconcile,
  { metrics, name, clock }: { readonly metrics: Metrics; readonly name: string; readonly clock: Clock },
): Reconcile {
  const runs = metrics.counter({
    name: 'boathook_reconciliations_total',
    help: 'Reconciliations of a controller by outcome: done, or failed and retried.',
    labels: ['controller', 'outcome'],
  });
  const seconds = metrics.histogram({
    name: 'boathook_reconciliation_duration_seconds',
    help: 'Duration of these reconciliations.',
    labels,
    bounds,
  });
  return async (key, signal) => {
    const began = clock.now();
    try {
      const next = await reconcile(key, signal);
      runs.add({ controller: name, outcome: 'done' });
      return next;
    } catch (error) {
      if (!signal.aborted) runs.add({ controller: name, outcome: 'failed' });
      throw error;
    } finally {
      seconds.observe({ controller: name }, (clock.now() - began) / 1000);
    }
  };
}
