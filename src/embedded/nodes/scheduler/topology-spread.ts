import { isObject, listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import type { Candidate } from './candidate.ts';
import { bump, type PodQuery } from './pod-counts.ts';
import { matchesAffinity } from './node-affinity.ts';
import type { PlacementIndex } from './placement-index.ts';
import { isTolerated, tolerationsOf } from '#embedded/nodes/node/taints.ts';

/** The texts of kube-scheduler. */
export const skewed = "node(s) didn't match pod topology spread constraints";
const placeless = `${skewed} (missing required label)`;
const fine: readonly string[] = [];

type Constraint = {
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly self: number;
  readonly question: PodQuery;
  readonly isCounted: (node: Candidate) => boolean;
};

/** The filter of `DoNotSchedule` constraints. Undefined: there are none. */
export function spreadFilter(
  pod: KubeObject,
  nodes: readonly Candidate[],
  index: PlacementIndex,
): ((node: Candidate) => readonly string[]) | undefined {
  const constraints = constraintsOf(pod, 'DoNotSchedule', index);
  if (constraints.length === 0) return undefined;
  const limits = constraints.map((each) => {
    const counts = domainCounts(each, constraints, nodes, index);
    const least = counts.size < each.minDomains ? 0 : Math.min(...counts.values());
    return { ...each, counts, least: Number.isFinite(least) ? least : 0 };
  });
  return ({ labels }) => {
    for (const { key, counts, least, maxSkew, self } of limits) {
      const value = labels[key];
      if (value === undefined) return [placeless];
      if ((counts.get(value) ?? 0) + self - least > maxSkew) return [skewed];
    }
    return fine;
  };
}

/** The score of a node by `ScheduleAnyway` constraints: fewer pods in its domain are better. */
export function spreadScore(
  pod: KubeObject,
  nodes: readonly Candidate[],
  index: PlacementIndex,
): ((node: Candidate) => number) | undefined {
  const constraints = constraintsOf(pod, 'ScheduleAnyway', index);
  if (constraints.length === 0) return undefined;
  const parts = constraints.map((each) => {
    const counts = domainCounts(each, [each], nodes, index);
    // Where there are many domains each of them matters less.
    return {
      key: each.key,
      counts,
      weight: Math.log(counts.size + 2),
      worst: Math.max(0, ...counts.values()) + 1,
    };
  });
  return ({ labels }) =>
    -parts.reduce((sum, { key, counts, weight, worst }) => {
      const value = labels[key];
      return sum + weight * (value === undefined ? worst : (counts.get(value) ?? 0));
    }, 0);
}

/** Every domain of the nodes that count, those without pods included. */
function domainCounts(
  { key, question, isCounted }: Constraint,
  all: readonly Constraint[],
  nodes: readonly Candidate[],
  index: PlacementIndex,
): ReadonlyMap<string, number> {
  const byNode = index.counts.count(question);
  const counts = new Map<string, number>();
  for (const node of nodes) {
    if (!all.every((each) => node.labels[each.key] !== undefined) || !isCounted(node)) continue;
    const value = node.labels[key] ?? '';
    if (!counts.has(value)) counts.set(value, 0);
    const count = byNode.get(node.name) ?? 0;
    if (count > 0) bump(counts, value, count);
  }
  return counts;
}

function constraintsOf(pod: KubeObject, when: string, index: PlacementIndex): readonly Constraint[] {
  return listAt(pod, 'spec', 'topologySpreadConstraints')
    .filter(isObject)
    .filter((each) => (textAt(each, 'whenUnsatisfiable') ?? 'DoNotSchedule') === when)
    .map((each) => constraintOf(pod, each, index));
}

function constraintOf(pod: KubeObject, given: JsonObject, index: PlacementIndex): Constraint {
  const term = index.termOf(pod, given);
  const tolerations = tolerationsOf(pod);
  const minds = textAt(given, 'nodeTaintsPolicy') === 'Honor';
  const follows = (textAt(given, 'nodeAffinityPolicy') ?? 'Honor') === 'Honor';
  return {
    key: term.topologyKey,
    maxSkew: numberAt(given, 'maxSkew') ?? 1,
    minDomains: numberAt(given, 'minDomains') ?? 1,
    self: term.matches(pod) ? 1 : 0,
    // Pods that are being deleted do not count.
    question: {
      id: `staying ${term.id}`,
      matches: (other) => !isDeleting(other) && term.matches(other),
    },
    isCounted: (node) =>
      (!follows || matchesAffinity(pod, node)) &&
      (!minds ||
        node.taints.every((taint) => taint.effect === 'PreferNoSchedule' || isTolerated(tolerations, taint))),
  };
}
