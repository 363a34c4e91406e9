import type { KubeObject } from '#kube/object.ts';
import type { Candidate } from './candidate.ts';
import { bump, type PodCounts } from './pod-counts.ts';
import type { PodTerm } from './pod-term.ts';
import type { AntiAffinityTerms } from './anti-affinity-terms.ts';

/** The placed pods, as pod affinity and topology spread need them. */
export type PlacementIndex = {
  readonly counts: PodCounts;
  readonly antiAffinity: AntiAffinityTerms;
  termOf(pod: KubeObject, term: KubeObject): PodTerm;
  /** Any node, those of other schedulers included: their pods count too. */
  nodeNamed(name: string): Candidate | undefined;
};

/** Pods by the value that their node has for the key; nodes without it are in no domain. */
export function countsByDomain(
  index: PlacementIndex,
  key: string,
  byNode: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [name, count] of byNode) {
    const value = index.nodeNamed(name)?.labels[key];
    if (value !== undefined) bump(counts, value, count);
  }
  return counts;
}
