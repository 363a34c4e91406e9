import { numberAt } from '#base/json.ts';
import { factsOf, isAvailable, type PodFacts } from '#kube/workload/pod-facts.ts';
import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { ordinalOf } from '#kube/workload/stateful-identity.ts';
import { firstOrdinal, revisionLabel } from './identity.ts';

/** One place of a set, with the pod that fills it. */
export type OrdinalPlace = {
  readonly ordinal: number;
  readonly pod: KubeObject | undefined;
};
export type FilledPlace = { readonly ordinal: number; readonly pod: KubeObject; readonly facts: PodFacts };

export type OrdinalPlaces = {
  /** One for every wanted ordinal, the lowest first. */
  readonly wanted: readonly OrdinalPlace[];
  /** Pods beyond the wanted ordinals, the highest first. */
  readonly condemned: readonly FilledPlace[];
};

export function placesOf(set: KubeObject, pods: readonly KubeObject[]): OrdinalPlaces {
  const start = firstOrdinal(set);
  const end = start + (numberAt(set, 'spec', 'replicas') ?? 1);
  const byOrdinal = new Map<number, KubeObject>();
  const condemned: FilledPlace[] = [];
  for (const pod of pods) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal === undefined) continue;
    if (ordinal >= start && ordinal < end) byOrdinal.set(ordinal, pod);
    else condemned.push({ ordinal, pod, facts: factsOf(pod) });
  }
  const wanted = Array.from({ length: Math.max(0, end - start) }, (_, at) => ({
    ordinal: start + at,
    pod: byOrdinal.get(start + at),
  }));
  return { wanted, condemned: condemned.sort((left, right) => right.ordinal - left.ordinal) };
}

export const isRunningAndReady = (pod: PodFacts): boolean => pod.phase === 'Running' && pod.isReady;
export const isHealthy = (pod: PodFacts): boolean => isRunningAndReady(pod) && !pod.isDeleting;
export const isRunningAndAvailable = (pod: PodFacts, minReadySeconds: number, now: Instant): boolean =>
  pod.phase === 'Running' && isAvailable(pod, minReadySeconds, now);
export const podRevision = (pod: PodFacts): string => pod.labels[revisionLabel] ?? '';
