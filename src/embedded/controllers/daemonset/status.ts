import { numberAt, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { isAvailable } from '#kube/workload/pod-facts.ts';
import type { KubeObject } from '#kube/object.ts';
import type { NodeView, WantedDaemons } from './plan.ts';

export function daemonStatus(
  set: KubeObject,
  views: readonly NodeView[],
  wishes: WantedDaemons,
  now: Instant,
): JsonObject {
  const counts = { desired: 0, current: 0, misplaced: 0, ready: 0, available: 0, updated: 0 };
  for (const { fit, daemons } of views) {
    if (!fit.shouldRun) {
      if (daemons.length > 0) counts.misplaced += 1;
      continue;
    }
    counts.desired += 1;
    // During a surge the newest pod of a node counts.
    const speaker = daemons.find(({ isNew, facts }) => isNew && !facts.isDeleting) ?? daemons[0];
    if (speaker === undefined) continue;
    counts.current += 1;
    if (daemons.some(({ facts }) => facts.isReady)) counts.ready += 1;
    if (daemons.some(({ facts }) => isAvailable(facts, wishes.minReadySeconds, now))) counts.available += 1;
    if (speaker.isNew) counts.updated += 1;
  }
  const status: MutableJsonObject = {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misplaced,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: numberAt(set, 'metadata', 'generation') ?? 0,
  };
  const put = (key: string, value: number): void => {
    if (value > 0) status[key] = value;
  };
  put('updatedNumberScheduled', counts.updated);
  put('numberAvailable', counts.available);
  put('numberUnavailable', counts.desired - counts.available);
  const collisions = numberAt(set, 'status', 'collisionCount');
  return collisions === undefined ? status : { ...status, collisionCount: collisions };
}
