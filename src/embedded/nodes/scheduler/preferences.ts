import type { KubeObject } from '#kube/object.ts';
import type { Candidate } from './candidate.ts';
import { preferenceOf } from './node-affinity.ts';
import { affinityScore } from './pod-affinity.ts';
import type { PlacementIndex } from './placement-index.ts';
import { spreadScore } from './topology-spread.ts';

const full = 100;

/**
 * The score of each node that fits, from the pod's preferences: preferred node affinity, preferred pod
 * affinity and spread, each normalized to 0..100. Undefined: the pod has no preferences.
 */
export function preferences(
  pod: KubeObject,
  fitting: readonly Candidate[],
  nodes: readonly Candidate[],
  index: PlacementIndex | undefined,
): ((node: Candidate) => number) | undefined {
  const scores = [
    preferenceOf(pod),
    index === undefined ? undefined : affinityScore(pod, index),
    index === undefined ? undefined : spreadScore(pod, nodes, index),
  ].filter((score) => score !== undefined);
  if (scores.length === 0) return undefined;
  const sums = new Map<string, number>();
  for (const score of scores) {
    const given = fitting.map(score);
    const [least, most] = [Math.min(...given), Math.max(...given)];
    if (least === most) continue;
    for (const [at, { name }] of fitting.entries())
      sums.set(
        name,
        (sums.get(name) ?? 0) + Math.round((full * ((given[at] ?? 0) - least)) / (most - least)),
      );
  }
  return ({ name }) => sums.get(name) ?? 0;
}
