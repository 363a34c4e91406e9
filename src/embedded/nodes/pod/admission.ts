import { at, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { podNeeds, type Amounts } from '#embedded/nodes/scheduler/amounts.ts';
import type { Candidate } from '#embedded/nodes/scheduler/candidate.ts';
import { noLoad, noFreePorts, affinityMismatch, type Load } from '#embedded/nodes/scheduler/choose.ts';
import { collide, hostPortsOf } from '#embedded/nodes/scheduler/host-ports.ts';
import { matchesAffinity } from '#embedded/nodes/scheduler/node-affinity.ts';
import { isTerminal } from './pod-phase.ts';

export type Rejection = { readonly reason: string; readonly message: string };

/** The order in which a kubelet checks resources; resources that the node does not list are not checked. */
const counted = ['pods', 'cpu', 'memory', 'ephemeral-storage'];

/** Why a kubelet rejects a pod that was bound to it, with a kubelet's text; undefined when it admits it. */
export function rejectionOf(pod: KubeObject, node: Candidate, load: Load = noLoad): Rejection | undefined {
  const shortage = shortageOf(pod, node, load);
  if (shortage !== undefined) return shortage;
  if (!matchesAffinity(pod, node)) return failed('NodeAffinity', affinityMismatch);
  if (collide(hostPortsOf(pod), load.ports)) return failed('NodePorts', noFreePorts);
  return undefined;
}

function shortageOf(pod: KubeObject, { allocatable }: Candidate, load: Load): Rejection | undefined {
  const used: Amounts = { ...load.requested, pods: load.pods };
  const needs: Amounts = { ...podNeeds(pod), pods: 1 };
  const others = Object.keys(needs).filter((each) => !counted.includes(each));
  for (const resource of [...counted, ...others.sort()]) {
    const [wanted = 0, taken = 0, room = Infinity] = [needs[resource], used[resource], allocatable[resource]];
    if (wanted === 0 || wanted + taken <= room) continue;
    const amounts = `requested: ${wanted}, used: ${taken}, capacity: ${room}`;
    return {
      reason: `OutOf${resource}`,
      message: `Node didn't have enough resource: ${resource}, ${amounts}`,
    };
  }
  return undefined;
}

const failed = (predicate: string, why: string): Rejection => ({
  reason: predicate,
  message: `Predicate ${predicate} failed: ${why}`,
});

/** A kubelet decides about admission once, before it starts anything for a pod. */
export const isUndecided = (pod: KubeObject): boolean =>
  at(pod, 'status', 'startTime') === undefined &&
  listAt(pod, 'status', 'containerStatuses').length === 0 &&
  !isTerminal(textAt(pod, 'status', 'phase')) &&
  !isDeleting(pod);

const rejected = 'Pod was rejected: ';

/** No container of a rejected pod starts: the status holds only the failure. */
export function rejectedStatus(pod: KubeObject, { reason, message }: Rejection, now: Instant): JsonObject {
  const { phase: _phase, ...status } = objectAt(pod, 'status') ?? {};
  return { ...status, phase: 'Failed', reason, message: rejected + message, startTime: formatTime(now) };
}

export const isRejected = (status: JsonObject): boolean =>
  status['phase'] === 'Failed' && (textAt(status, 'message') ?? '').startsWith(rejected);
