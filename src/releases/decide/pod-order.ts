import { instant } from '#base/time.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';
import type { ReleasePod } from './pod-view.ts';
import { podCostAnnotation } from '#releases/model/well-known.ts';

type Compare = (left: ReleasePod, right: ReleasePod) => number;

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** The first comparison that is not 0 decides. */
const questions: readonly Compare[] = [
  (left, right) => Number(left.facts.node !== '') - Number(right.facts.node !== ''),
  (left, right) => (phaseRank[left.facts.phase] ?? 0) - (phaseRank[right.facts.phase] ?? 0),
  (left, right) => Number(left.isInService) - Number(right.isInService),
  (left, right) => (left.isInService ? readySince(right) - readySince(left) : 0),
  (left, right) => right.restarts - left.restarts,
  (left, right) => right.facts.created - left.facts.created,
  // Pods created in the same second: a stable order.
  (left, right) => (left.facts.name < right.facts.name ? -1 : 1),
];

/** Pods to update or delete first come first: unscheduled, pending, not ready, restarted, young. */
export const byValue: Compare = (left, right) => {
  for (const question of questions) {
    const answer = question(left, right);
    if (answer !== 0) return answer;
  }
  return 0;
};

export type Costs = {
  /** The deletion cost of a node; undefined without annotation. */
  readonly nodeCost: (node: string) => number | undefined;
  readonly isDescending: boolean;
};

/** The order of deletion when scaling down: by the cost of the node, then of the pod, then by value. */
export function byCost(
  pods: readonly ReleasePod[],
  { nodeCost, isDescending }: Costs,
): readonly ReleasePod[] {
  const ranked = pods.toSorted(byValue).map((view) => ({
    view,
    node: nodeCost(view.facts.node) ?? Infinity,
    // Pods without a cost come last in both directions.
    pod: (isDescending ? -1 : 1) * (costOf(view.pod) ?? (isDescending ? -Infinity : Infinity)),
  }));
  return ranked
    .sort((left, right) => compared(left.node, right.node) || compared(left.pod, right.pod))
    .map(({ view }) => view);
}

const compared = (left: number, right: number): number => (left === right ? 0 : left < right ? -1 : 1);

export function costOf(pod: KubeObject, annotation = podCostAnnotation): number | undefined {
  const text = annotationsOf(pod)[annotation] ?? '';
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

const readySince = ({ facts }: ReleasePod): number => facts.readySince ?? instant(0);
