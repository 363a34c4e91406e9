import { listAt, numberAt, textAt } from '#base/json.ts';
import { memoizeByObject } from '#base/memoize.ts';
import { instant, type Instant } from '#base/time.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';
import { conditionOf } from '#kube/conditions.ts';
import { isActive, isAvailable, readFacts, type PodFacts } from '#kube/workload/pod-facts.ts';
import { gateType, leavingAnnotation, revisionLabel } from '#releases/model/well-known.ts';

/** The readiness gate that takes a pod out of service while its containers change. */
export type GateState = 'none' | 'unset' | 'open' | 'shut';

/** A pod as decisions see it. */
export type ReleasePod = {
  readonly pod: KubeObject;
  readonly facts: PodFacts;
  readonly revision: string;
  readonly gate: GateState;
  /** Neither finished nor being deleted. */
  readonly isActive: boolean;
  /** Running, ready and with an open gate. The kubelet updates Ready only some time after the gate is closed. */
  readonly isInService: boolean;
  /** Why it was chosen for deletion. */
  readonly leaving: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  readonly restarts: number;
};

/** Computed once for each object: they never change. */
export const releasePodOf = memoizeByObject(readReleasePod);

function readReleasePod(pod: KubeObject): ReleasePod {
  const facts = readFacts(pod);
  const gate = gateOf(pod);
  const annotations = annotationsOf(pod);
  return {
    pod,
    facts,
    revision: facts.labels[revisionLabel] ?? '',
    gate,
    isActive: isActive(facts),
    isInService: facts.phase === 'Running' && facts.isReady && gate !== 'shut' && !facts.isDeleting,
    leaving: annotations[leavingAnnotation],
    annotations,
    restarts: restartsOf(pod),
  };
}

/** In service for minReadySeconds. */
export const isInServiceFor = (view: ReleasePod, minReadySeconds: number, now: Instant): boolean =>
  view.isInService && isAvailable(view.facts, minReadySeconds, now);

/** The time is not before any of these pods was made or became ready: the clock of a controller may be behind. */
export const notBeforePods = (pods: readonly ReleasePod[], now: Instant): Instant =>
  instant(Math.max(now, ...pods.flatMap(({ facts }) => [facts.created, facts.readySince ?? 0])));

/** Chosen for deletion by scaling, not by an update. */
export const isScaledDown = ({ leaving }: ReleasePod): boolean =>
  leaving === 'scale-down' || leaving === 'requested';

function gateOf(pod: KubeObject): GateState {
  const hasGate = listAt(pod, 'spec', 'readinessGates').some(
    (gate) => textAt(gate, 'conditionType') === gateType,
  );
  if (!hasGate) return 'none';
  const condition = conditionOf(pod, gateType);
  if (condition === undefined) return 'unset';
  return textAt(condition, 'status') === 'True' ? 'open' : 'shut';
}

function restartsOf(pod: KubeObject): number {
  let most = 0;
  for (const status of listAt(pod, 'status', 'containerStatuses'))
    most = Math.max(most, numberAt(status, 'restartCount') ?? 0);
  return most;
}
