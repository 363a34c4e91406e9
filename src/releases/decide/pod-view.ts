import { listAt, numberAt, textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';
import { conditionOf } from '#kube/conditions.ts';
import { factsOf, isActive, isAvailable, type PodFacts } from '#kube/workload/pod-facts.ts';
import { gateType, leavingAnnotation, revisionLabel } from './model/well-known.ts';

/** The gate by which a pod is taken out of service while its containers change. */
export type GateState = 'none' | 'unset' | 'open' | 'shut';

/** What our workloads ask of a pod again and again. */
export type ReleasePod = {
  readonly pod: KubeObject;
  readonly facts: PodFacts;
  readonly revision: string;
  readonly gate: GateState;
  /** Neither finished nor going. */
  readonly isActive: boolean;
  /**
   * Running, ready, and not taken out of service. Between the shut gate and the word of the kubelet a pod is
   * ready on paper only (G8).
   */
  readonly isInService: boolean;
  /** Why it was chosen to go. */
  readonly leaving: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** Of the container that was restarted most often. */
  readonly restarts: number;
};

/** Objects never change, so neither do their views. */
const known = new WeakMap<KubeObject, ReleasePod>();

export function releasePodOf(pod: KubeObject): ReleasePod {
  const found = known.get(pod);
  if (found !== undefined) return found;
  const facts = factsOf(pod);
  const gate = gateOf(pod);
  const annotations = annotationsOf(pod);
  const view: ReleasePod = {
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
  known.set(pod, view);
  return view;
}

/** In service for as long as a workload asks. */
export const isInServiceFor = (view: ReleasePod, minReadySeconds: number, now: Instant): boolean =>
  view.isInService && isAvailable(view.facts, minReadySeconds, now);

/** Chosen to go for good, whatever becomes of the release. */
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
