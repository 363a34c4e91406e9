import { at, listAt, numberAt, textAt, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Revision } from './identity.ts';
import { isRunningAndAvailable, isRunningAndReady, podRevision } from './replicas.ts';

type Counts = { replicas: number; ready: number; available: number; current: number; updated: number };

export function statefulStatus(
  snapshot: {
    readonly set: KubeObject;
    readonly pods: readonly KubeObject[];
    readonly current: Revision;
    readonly update: Revision;
  },
  now: Instant,
): JsonObject {
  const { set, current, update } = snapshot;
  const counts = count(snapshot, now);
  const replicas = numberAt(set, 'spec', 'replicas') ?? 1;
  const isDone =
    textAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete' &&
    counts.updated === replicas &&
    counts.ready === replicas &&
    counts.replicas === replicas;
  const status: MutableJsonObject = {
    observedGeneration: numberAt(set, 'metadata', 'generation') ?? 0,
    replicas: counts.replicas,
  };
  const put = (key: string, value: number): void => {
    if (value > 0) status[key] = value;
  };
  put('readyReplicas', counts.ready);
  put('currentReplicas', isDone ? counts.updated : counts.current);
  put('updatedReplicas', counts.updated);
  status['currentRevision'] = isDone ? update.name : current.name;
  status['updateRevision'] = update.name;
  status['collisionCount'] = at(set, 'status', 'collisionCount') ?? 0;
  const conditions = listAt(set, 'status', 'conditions');
  if (conditions.length > 0) status['conditions'] = conditions;
  status['availableReplicas'] = counts.available;
  return status;
}

function count({ set, pods, current, update }: Parameters<typeof statefulStatus>[0], now: Instant): Counts {
  const minReadySeconds = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const counts: Counts = { replicas: 0, ready: 0, available: 0, current: 0, updated: 0 };
  for (const pod of pods) {
    const facts = factsOf(pod);
    if (facts.phase === '') continue;
    counts.replicas += 1;
    if (isRunningAndReady(facts)) counts.ready += 1;
    if (isRunningAndAvailable(facts, minReadySeconds, now)) counts.available += 1;
    if (facts.isDeleting) continue;
    if (podRevision(facts) === current.name) counts.current += 1;
    if (podRevision(facts) === update.name) counts.updated += 1;
  }
  return counts;
}
