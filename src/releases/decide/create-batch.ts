import { numberAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import type { ReleasePod } from './pod-view.ts';

/**
 * How many pods a new workload may have made now: the next batch begins when the pods of the last one are in service.
 * Once its spec has changed it is not new any more.
 */
export function batchLeft(
  workload: KubeObject,
  batch: number | string | undefined,
  replicas: number,
  pods: readonly ReleasePod[],
): number {
  const isNew = (numberAt(workload, 'metadata', 'generation') ?? 1) <= 1;
  if (!isNew || batch === undefined) return Infinity;
  const coming = pods.filter((view) => view.isActive && !view.isInService).length;
  return Math.max(0, Math.max(scaledValue(batch, replicas, 'up'), 1) - coming);
}
