import type { Instant } from '#base/time.ts';
import { nextAvailable } from '#kube/workload/pod-facts.ts';
import { isInServiceFor, type ReleasePod } from './pod-view.ts';

export type Counts = {
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  readonly updated: number;
  readonly updatedReady: number;
  readonly updatedAvailable: number;
  /** When the next pod becomes available. */
  readonly nextAvailable: Instant | undefined;
};

export function countPods(
  pods: readonly ReleasePod[],
  updateRevision: string,
  minReadySeconds: number,
  now: Instant,
): Counts {
  const active = pods.filter((pod) => pod.isActive);
  const inService = active.filter((pod) => pod.isInService);
  const available = inService.filter((pod) => isInServiceFor(pod, minReadySeconds, now));
  const updated = (views: readonly ReleasePod[]): number =>
    views.reduce((sum, { revision }) => sum + Number(revision === updateRevision), 0);
  return {
    replicas: active.length,
    ready: inService.length,
    available: available.length,
    updated: updated(active),
    updatedReady: updated(inService),
    updatedAvailable: updated(available),
    nextAvailable: nextAvailable(
      inService.map(({ facts }) => facts),
      minReadySeconds,
      now,
    ),
  };
}
