import { at, isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** The status of a pod whose node is lost: Ready becomes False. Undefined when it is False already. */
export function unready(pod: KubeObject, time: string): JsonObject | undefined {
  const conditions = listAt(pod, 'status', 'conditions');
  const ready = conditions.find((each) => at(each, 'type') === 'Ready');
  if (!isObject(ready) || ready['status'] !== 'True') return undefined;
  const lost = { ...ready, status: 'False', lastTransitionTime: time };
  return {
    ...objectAt(pod, 'status'),
    conditions: conditions.map((each) => (each === ready ? lost : each)),
  };
}

/** The status of a pod that is evicted from its node. */
export function disrupted(pod: KubeObject, reason: string, message: string, time: string): JsonObject {
  const conditions: readonly Json[] = [
    ...listAt(pod, 'status', 'conditions').filter((each) => at(each, 'type') !== 'DisruptionTarget'),
    {
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: time,
      reason,
      message,
    },
  ];
  return { ...objectAt(pod, 'status'), conditions };
}

/** The status of a pod whose node no longer exists. */
export function orphaned(pod: KubeObject, time: string): JsonObject {
  const status = disrupted(pod, 'DeletionByPodGC', 'PodGC: node no longer exists', time);
  const isOver = status['phase'] === 'Succeeded' || status['phase'] === 'Failed';
  return isOver ? status : { ...status, phase: 'Failed' };
}
