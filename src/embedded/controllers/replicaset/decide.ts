import { numberAt, objectAt, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { type Instant } from '#base/time.ts';
import { factsOf, isAvailable, nextAvailable } from '#kube/workload/pod-facts.ts';
import { chooseVictims } from '#kube/workload/pod-victims.ts';
import { appendCondition, conditionsOf, removeCondition } from '#kube/conditions.ts';
import { isDeleting, stringMap, type KubeObject } from '#kube/object.ts';

/** At most this many pods are created or deleted per pass. */
const burst = 500;

export type ReplicaSetSnapshot = {
  readonly set: KubeObject;
  /** Its own active pods: neither finished nor being deleted. */
  readonly active: readonly KubeObject[];
  /** Active pods of all sets of the same owner; read only when pods are to be deleted. */
  readonly family: () => Iterable<KubeObject>;
};

export type ReplicaSetDecision = {
  readonly create: number;
  readonly remove: readonly KubeObject[];
  readonly wakeAt: Instant | undefined;
};

export function decideReplicaSet(snapshot: ReplicaSetSnapshot, now: Instant): ReplicaSetDecision {
  const { set, active } = snapshot;
  const wakeAt = nextAvailable(active.map(factsOf), minReadyOf(set), now);
  if (isDeleting(set)) return { create: 0, remove: [], wakeAt };
  const surplus = active.length - replicasOf(set);
  if (surplus < 0) return { create: Math.min(-surplus, burst), remove: [], wakeAt };
  if (surplus === 0) return { create: 0, remove: [], wakeAt };
  const remove = chooseVictims(active, Math.min(surplus, burst), snapshot.family(), now);
  return { create: 0, remove, wakeAt };
}

/** The failure in the condition ReplicaFailure. */
export type ReplicaFailure = { readonly reason: 'FailedCreate' | 'FailedDelete'; readonly message: string };

export function replicaSetStatus(
  set: KubeObject,
  active: readonly KubeObject[],
  failure: ReplicaFailure | undefined,
  now: Instant,
): JsonObject {
  const wanted = Object.entries(stringMap(objectAt(set, 'spec', 'template', 'metadata', 'labels')));
  const minReady = minReadyOf(set);
  const counts = { labelled: 0, ready: 0, available: 0 };
  for (const pod of active) {
    const facts = factsOf(pod);
    if (wanted.every(([key, value]) => facts.labels[key] === value)) counts.labelled += 1;
    if (facts.isReady) counts.ready += 1;
    if (isAvailable(facts, minReady, now)) counts.available += 1;
  }
  const status: MutableJsonObject = { replicas: active.length };
  if (counts.labelled > 0) status['fullyLabeledReplicas'] = counts.labelled;
  if (counts.ready > 0) status['readyReplicas'] = counts.ready;
  if (counts.available > 0) status['availableReplicas'] = counts.available;
  status['observedGeneration'] = numberAt(set, 'metadata', 'generation') ?? 0;
  const conditions = failureConditions(set, failure, now);
  if (conditions.length > 0) status['conditions'] = conditions;
  return status;
}

function failureConditions(
  set: KubeObject,
  failure: ReplicaFailure | undefined,
  now: Instant,
): readonly Json[] {
  if (failure === undefined) return removeCondition(conditionsOf(set), 'ReplicaFailure');
  const { reason, message } = failure;
  return appendCondition(conditionsOf(set), { type: 'ReplicaFailure', status: 'True', reason, message }, now);
}

const replicasOf = (set: KubeObject): number => numberAt(set, 'spec', 'replicas') ?? 1;
const minReadyOf = (set: KubeObject): number => numberAt(set, 'spec', 'minReadySeconds') ?? 0;
