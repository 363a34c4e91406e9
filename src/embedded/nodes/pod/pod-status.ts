import { numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { conditionsOf, type Situation } from './conditions.ts';
import { printContainerStatus } from './container-status.ts';
import type { SimulatedContainer } from './simulated-container.ts';
import type { Host } from './container-context.ts';

/** The whole status of a pod; what a kubelet does not own stays as it is. */
export function podStatus(situation: Situation, host: Host, failure: JsonObject): JsonObject {
  const { view, containers, phase, now } = situation;
  const generation = numberAt(view.pod, 'metadata', 'generation');
  const ofKinds = (...kinds: readonly string[]): readonly SimulatedContainer[] =>
    containers.filter(({ container }) => kinds.includes(container.kind));
  const ordinary = ofKinds('ordinary').toSorted((left, right) =>
    left.status.name < right.status.name ? -1 : 1,
  );
  return {
    ...view.status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...failure,
    phase,
    conditions: conditionsOf(situation),
    ...(host.hostIp === '' ? {} : { hostIP: host.hostIp, hostIPs: [{ ip: host.hostIp }] }),
    ...(host.podIp === '' ? {} : { podIP: host.podIp, podIPs: [{ ip: host.podIp }] }),
    startTime: textAt(view.status, 'startTime') ?? formatTime(now),
    ...listed('initContainerStatuses', ofKinds('init', 'sidecar')),
    ...listed('containerStatuses', ordinary),
    ...listed('ephemeralContainerStatuses', ofKinds('ephemeral')),
  };
}

const listed = (key: string, containers: readonly SimulatedContainer[]): { readonly [key: string]: Json } =>
  containers.length === 0 ? {} : { [key]: containers.map(({ status }) => printContainerStatus(status)) };
