import { at, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** The status of an unschedulable pod; undefined when it is already there. */
export function unscheduled(pod: KubeObject, message: string, time: string): JsonObject | undefined {
  const status = objectAt(pod, 'status') ?? {};
  const conditions = listAt(status, 'conditions');
  const old = conditions.find((each) => at(each, 'type') === 'PodScheduled');
  if (textAt(old, 'reason') === 'Unschedulable' && textAt(old, 'message') === message) return undefined;
  const isSame = textAt(old, 'status') === 'False';
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: (isSame ? at(old, 'lastTransitionTime') : undefined) ?? time,
    reason: 'Unschedulable',
    message,
  };
  return { ...status, conditions: [...conditions.filter((each) => each !== old), condition] };
}
