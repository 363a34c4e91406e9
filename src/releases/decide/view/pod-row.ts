import { at, listAt, textAt } from '#base/json.ts';
import { isDeleting, labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { releasePodOf, type GateState } from '#releases/decide/pod-view.ts';
import { instanceLabel } from '#releases/model/well-known.ts';

/** A pod below its revision. */
export type PodRow = {
  readonly name: string;
  /** In one word, as `kubectl get pods` shows it for most pods: Running, Terminating, CrashLoopBackOff. */
  readonly status: string;
  /** Running, ready, and its gate is not shut. */
  readonly isInService: boolean;
  readonly containers: { readonly ready: number; readonly total: number };
  readonly restarts: number;
  /** The readiness gate that takes a pod out of service during an update in place. */
  readonly gate: GateState;
  /** RFC 3339. */
  readonly created: string;
  readonly node: string;
  readonly address: string;
  /** Why it was chosen for deletion. */
  readonly leaving?: string;
  /** Identifies the pod in the labels of its HookRuns. */
  readonly instance: string;
};

export function podRowOf(pod: KubeObject): PodRow {
  const { gate, isInService, restarts, leaving, facts } = releasePodOf(pod);
  const statuses = listAt(pod, 'status', 'containerStatuses');
  return {
    name: nameOf(pod),
    status: statusWord(pod),
    isInService,
    containers: {
      ready: statuses.filter((each) => at(each, 'ready') === true).length,
      total: listAt(pod, 'spec', 'containers').length,
    },
    restarts,
    gate,
    created: textAt(pod, 'metadata', 'creationTimestamp') ?? '',
    node: facts.node,
    address: textAt(pod, 'status', 'podIP') ?? '',
    ...(leaving === undefined ? {} : { leaving }),
    instance: labelsOf(pod)[instanceLabel] ?? /-(\d+)$/.exec(nameOf(pod))?.[1] ?? '',
  };
}

/** The reason of the first container that does not run, else the phase. */
function statusWord(pod: KubeObject): string {
  if (isDeleting(pod)) return 'Terminating';
  const statuses = [
    ...listAt(pod, 'status', 'initContainerStatuses').filter((each) => at(each, 'ready') !== true),
    ...listAt(pod, 'status', 'containerStatuses'),
  ];
  for (const each of statuses) {
    const waiting = textAt(each, 'state', 'waiting', 'reason');
    const reason = waiting || textAt(each, 'state', 'terminated', 'reason');
    if (reason !== undefined && reason !== '') return reason;
  }
  return textAt(pod, 'status', 'reason') || (textAt(pod, 'status', 'phase') ?? 'Pending');
}
