import { ageSince } from '#base/age.ts';
import { at, listAt, textAt, type Json } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { isTrue, joined, labelsText, textOr } from './cells.ts';
import { ageColumn, nameColumn, textColumn, wideColumn, type Column } from './column.ts';
import { containersDescription, imagesDescription } from './workload-columns.ts';
import { podSummary, type PodSummary } from './pod-status.ts';

export const podColumns: readonly Column[] = [
  nameColumn,
  textColumn('Ready', 'The aggregate readiness state of this pod for accepting traffic.', (pod) => {
    const { ready, total } = summaryOf(pod);
    return `${ready}/${total}`;
  }),
  textColumn('Status', 'The aggregate status of the containers in this pod.', (pod) => summaryOf(pod).reason),
  textColumn(
    'Restarts',
    'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
    restartsText,
  ),
  ageColumn,
  wideColumn(
    'IP',
    'podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.',
    (pod) => textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || '<none>',
  ),
  wideColumn(
    'Node',
    'NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod to be scheduled on a specific node. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename',
    textOr('<none>', 'spec', 'nodeName'),
  ),
  wideColumn(
    'Nominated Node',
    'nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. This field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher priority pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when the pod is scheduled.',
    textOr('<none>', 'status', 'nominatedNodeName'),
  ),
  wideColumn(
    'Readiness Gates',
    'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers are ready AND all conditions specified in the readiness gates have status equal to "True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
    gatesText,
  ),
];

export const podTemplateColumns: readonly Column[] = [
  nameColumn,
  textColumn('Containers', containersDescription, (it) =>
    joined(listAt(it, 'template', 'spec', 'containers'), 'name'),
  ),
  textColumn('Images', imagesDescription, (it) =>
    joined(listAt(it, 'template', 'spec', 'containers'), 'image'),
  ),
  textColumn('Pod Labels', 'Labels of the pods.', (it) =>
    labelsText(at(it, 'template', 'metadata', 'labels')),
  ),
];

const completed = (reason: string, message: string): readonly Json[] => [
  { type: 'Completed', status: 'True', reason, message },
];
const conditionsOfPhase: ReadonlyMap<string, readonly Json[]> = new Map([
  ['Succeeded', completed('Succeeded', 'The pod has completed successfully.')],
  ['Failed', completed('Failed', 'The pod failed.')],
]);

/** The conditions of a pod's row: `kubectl get` can hide pods that have ended. */
export function podRowConditions(pod: KubeObject): readonly Json[] | undefined {
  return conditionsOfPhase.get(textAt(pod, 'status', 'phase') ?? '');
}

/** Three cells of a row use the same summary: the last one is kept. */
let last: { readonly pod: KubeObject; readonly summary: PodSummary } | undefined;

function summaryOf(pod: KubeObject): PodSummary {
  if (last?.pod !== pod) last = { pod, summary: podSummary(pod) };
  return last.summary;
}

function restartsText(pod: KubeObject, now: Instant): string {
  const { restarts, lastRestart } = summaryOf(pod);
  if (restarts === 0 || lastRestart === undefined) return `${restarts}`;
  return `${restarts} (${ageSince(lastRestart, now)} ago)`;
}

function gatesText(pod: KubeObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const conditions = listAt(pod, 'status', 'conditions');
  const open = gates.filter((gate) => isTrue(conditions, textAt(gate, 'conditionType') ?? ''));
  return `${open.length}/${gates.length}`;
}
