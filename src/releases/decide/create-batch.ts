import { numberAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import type { ReleasePod } from './pod-view.ts';

/**
 * Number of pods that can be created now for a new workload: the next batch starts when the pods of the last one are in
 * service. A workload whose spec has changed is not new: it has no limit.
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
