import { at, textAt } from '#base/json.ts';
import { memoizeByObject } from '#base/memoize.ts';
import { instant, later, parseTime, seconds, type Instant } from '#base/time.ts';
import { isDeleting, labelsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { conditionOf } from '#kube/conditions.ts';
import { controllerOf } from './owner.ts';

/** What most controllers need to know of a pod. */
export type PodFacts = {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The uid of the controller it belongs to. */
  readonly owner: string | undefined;
  readonly node: string;
  readonly phase: string;
  readonly isDeleting: boolean;
  readonly isReady: boolean;
  /** When the Ready condition last changed. */
  readonly readySince: Instant | undefined;
  readonly created: Instant;
};

/** Objects never change, so neither do their facts. */
export const factsOf = memoizeByObject(readFacts);

export function readFacts(pod: KubeObject): PodFacts {
  const ready = conditionOf(pod, 'Ready');
  return {
    name: nameOf(pod),
    uid: uidOf(pod),
    labels: labelsOf(pod),
    owner: controllerOf(pod)?.uid,
    node: textAt(pod, 'spec', 'nodeName') ?? '',
    phase: textAt(pod, 'status', 'phase') ?? '',
    isDeleting: isDeleting(pod),
    isReady: at(ready, 'status') === 'True',
    readySince: parseTime(textAt(ready, 'lastTransitionTime') ?? ''),
    created: createdAt(pod),
  };
}

export const createdAt = (object: KubeObject): Instant =>
  parseTime(textAt(object, 'metadata', 'creationTimestamp') ?? '') ?? instant(0);

export const isFinished = ({ phase }: PodFacts): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Neither finished nor being deleted: it counts as a replica. */
export const isActive = (pod: PodFacts): boolean => !pod.isDeleting && !isFinished(pod);

/** The moment from which a ready pod counts as available; undefined while it is not ready. */
function availableFrom(pod: PodFacts, minReadySeconds: number): Instant | undefined {
  if (!pod.isReady) return undefined;
  if (minReadySeconds === 0) return pod.readySince ?? instant(0);
  return pod.readySince === undefined ? undefined : later(pod.readySince, seconds(minReadySeconds));
}

export function isAvailable(pod: PodFacts, minReadySeconds: number, now: Instant): boolean {
  const from = availableFrom(pod, minReadySeconds);
  return from !== undefined && (minReadySeconds === 0 || from <= now);
}

/** When the next of these pods becomes available; undefined when none is waiting for it. */
export function nextAvailable(
  pods: readonly PodFacts[],
  minReadySeconds: number,
  now: Instant,
): Instant | undefined {
  if (minReadySeconds === 0) return undefined;
  let next: Instant | undefined;
  for (const pod of pods) {
    const from = availableFrom(pod, minReadySeconds);
    if (from !== undefined && from > now && (next === undefined || from < next)) next = from;
  }
  return next;
}
