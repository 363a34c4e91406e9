import type { Step } from '#releases/kinds/canary.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';

/** How many pods stay old: never more than there shall be; a share is rounded up (decision 15). */
export function keptOld(partition: number | string | undefined, replicas: number): number {
  return Math.min(Math.max(scaledValue(partition, replicas, 'up'), 0), replicas);
}

/**
 * How many pods stay old at a step (§2.8.2): what the nearest step at or before it says that says anything. Before
 * any has spoken nothing may be updated; after the last one everything may.
 */
export function partitionAtStep(steps: readonly Step[], index: number, replicas: number): number {
  if (index >= steps.length) return 0;
  const nearest = steps.slice(0, index + 1).findLast((step) => step.partition !== undefined);
  return nearest === undefined ? replicas : keptOld(nearest.partition, replicas);
}
