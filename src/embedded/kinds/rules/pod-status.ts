import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, type FieldError } from '#kube/field-error.ts';
import { metaOf } from '#kube/object.ts';
import { checkIp, checkQualifiedName, checkSubdomain } from '#kube/names.ts';
import { complain, named } from './checks.ts';
import { specOf, statusFieldOf, textOf, withField } from '#base/json-edit.ts';
import { qosClass } from './pod-qos.ts';

/** The status of a new pod; a status in the request is ignored. */
export function initialPodStatus(pod: JsonObject): JsonObject {
  const status = { phase: 'Pending', qosClass: qosClass(pod) };
  if (listAt(specOf(pod), 'schedulingGates').length === 0) return status;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: metaOf(pod)['creationTimestamp'] ?? null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { phase: status.phase, conditions: [condition], qosClass: status.qosClass };
}

/** The list of a pod's addresses follows its first address. */
export function mirrorPodIp(status: JsonObject): JsonObject {
  const ip = status['podIP'];
  const first = textAt(listAt(status, 'podIPs')[0], 'ip');
  if (typeof ip === 'string' && ip !== '') {
    return first === ip ? status : { ...status, podIPs: [{ ip }] };
  }
  return first === undefined ? status : { ...status, podIP: first };
}

/** A write to /status changes the status and the labels and annotations, nothing else. */
export function keepForPodStatus(pod: JsonObject, old: JsonObject): JsonObject {
  const meta = withField(metaOf(pod), 'ownerReferences', metaOf(old)['ownerReferences']);
  const status = statusFieldOf(pod);
  const before = statusFieldOf(old);
  const classed =
    status['qosClass'] === undefined && before['qosClass'] !== undefined
      ? { ...status, qosClass: before['qosClass'] }
      : status;
  return withField(withField(withField(pod, 'metadata', meta), 'spec', old['spec']), 'status', classed);
}

const systemConditions = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodReadyToStartContainers',
  'DisruptionTarget',
]);

export function checkPodStatusUpdate(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [status, before] = [statusFieldOf(pod), statusFieldOf(old)];
  if (status['nominatedNodeName'] !== before['nominatedNodeName']) {
    named(checkSubdomain)(status['nominatedNodeName'], 'status.nominatedNodeName', errors);
  }
  if (status['qosClass'] !== before['qosClass']) {
    errors.push(invalid('status.qosClass', status['qosClass'] ?? '', 'field is immutable'));
  }
  checkTransitions(status, before, specOf(old), errors);
  listAt(status, 'podIPs').forEach((each, i) => {
    const ip = textAt(each, 'ip') ?? '';
    complain(ip, `status.podIPs[${i}]`, checkIp(ip), errors);
  });
  listAt(status, 'conditions').forEach((condition, i) => {
    const type = textAt(condition, 'type') ?? '';
    if (!systemConditions.has(type))
      complain(type, `status.conditions[${i}].Type`, checkQualifiedName(type), errors);
  });
  return errors;
}

/** What has ended for good cannot run again. */
function checkTransitions(status: JsonObject, old: JsonObject, spec: JsonObject, errors: FieldError[]): void {
  const policy = textOf(spec['restartPolicy']);
  const lists = [
    ['containerStatuses', policy],
    ['initContainerStatuses', policy],
    ['ephemeralContainerStatuses', 'Never'],
  ] as const;
  for (const [key, restarts] of lists) {
    if (restarts === 'Always') continue;
    const now = listAt(status, key);
    listAt(old, key).forEach((before, i) => {
      if (!hasEndedForGood(before, restarts) || isSidecar(before, spec)) return;
      const same = now.find((each) => textAt(each, 'name') === textAt(before, 'name'));
      if (same === undefined || objectAt(same, 'state', 'terminated') !== undefined) return;
      errors.push(forbidden(`status.${key}[${i}].state`, 'may not be transitioned to non-terminated state'));
    });
  }
}

function hasEndedForGood(status: Json, policy: string): boolean {
  const ended = objectAt(status, 'state', 'terminated');
  return ended !== undefined && !(policy === 'OnFailure' && ended['exitCode'] !== 0);
}

function isSidecar(status: Json, spec: JsonObject): boolean {
  const name = textAt(status, 'name');
  return listAt(spec, 'initContainers').some(
    (each) => isObject(each) && each['name'] === name && each['restartPolicy'] === 'Always',
  );
}
