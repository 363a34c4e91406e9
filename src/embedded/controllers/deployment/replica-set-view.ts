import { numberAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { createdAt } from '#kube/workload/pod-facts.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';

export const revisionKey = 'deployment.kubernetes.io/revision';
export const historyKey = 'deployment.kubernetes.io/revision-history';
export const desiredKey = 'deployment.kubernetes.io/desired-replicas';
export const maxKey = 'deployment.kubernetes.io/max-replicas';

/** A ReplicaSet of a Deployment. `replicas` is the wanted number, also while a decision changes it. */
export type SetView = {
  readonly object: KubeObject;
  readonly name: string;
  readonly created: Instant;
  readonly replicas: number;
  readonly actual: number;
  readonly ready: number;
  readonly available: number;
  readonly revision: number;
  /** Its controller has observed its last change. */
  readonly isSeen: boolean;
};

export const viewOf = (object: KubeObject): SetView => ({
  object,
  name: nameOf(object),
  created: createdAt(object),
  replicas: numberAt(object, 'spec', 'replicas') ?? 1,
  actual: numberAt(object, 'status', 'replicas') ?? 0,
  ready: numberAt(object, 'status', 'readyReplicas') ?? 0,
  available: numberAt(object, 'status', 'availableReplicas') ?? 0,
  revision: revisionOf(object),
  isSeen:
    (numberAt(object, 'status', 'observedGeneration') ?? 0) >=
    (numberAt(object, 'metadata', 'generation') ?? 0),
});

export function revisionOf(object: KubeObject): number {
  const text = annotationsOf(object)[revisionKey] ?? '';
  return /^\d+$/.test(text) ? Number(text) : 0;
}

export const annotatedCount = (set: SetView, key: string): number | undefined => {
  const text = annotationsOf(set.object)[key] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
};

const byName = (left: SetView, right: SetView): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0;

export const olderFirst = (left: SetView, right: SetView): number =>
  left.created - right.created || byName(left, right);

export const total = (sets: readonly SetView[], count: (set: SetView) => number): number =>
  sets.reduce((sum, set) => sum + count(set), 0);
