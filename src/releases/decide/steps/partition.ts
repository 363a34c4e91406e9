import type { CanaryStep } from '#releases/model/canary-step.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';

/** Number of pods that stay on old revisions: at most replicas; a percentage is rounded up. */
export function keptOld(partition: number | string | undefined, replicas: number): number {
  return Math.min(Math.max(scaledValue(partition, replicas, 'up'), 0), replicas);
}

/**
 * Number of pods that stay on old revisions at a step: the partition of this step, or of the nearest step before it
 * that has one. No pod is updated before the first partition step; every pod is after the last step.
 */
export function partitionAtStep(steps: readonly CanaryStep[], index: number, replicas: number): number {
  if (index >= steps.length) return 0;
  const nearest = steps.slice(0, index + 1).findLast((step) => partitionOf(step) !== undefined);
  return nearest === undefined ? replicas : keptOld(partitionOf(nearest), replicas);
}

/** Undefined: the step leaves the partition as it is. */
function partitionOf(step: CanaryStep): number | string | undefined {
  switch (step.type) {
    case 'partition':
      return step.partition;
    case 'pause':
    case 'hook':
      return undefined;
    case 'unknown':
      return step.spec.partition;
  }
}
