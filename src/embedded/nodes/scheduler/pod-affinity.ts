import { isObject, listAt, numberAt, objectAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Candidate } from './candidate.ts';
import type { PodQuery } from './pod-counts.ts';
import type { PodTerm } from './pod-term.ts';
import { required } from './anti-affinity-terms.ts';
import { countsByDomain, type PlacementIndex } from './placement-index.ts';

const fine: readonly string[] = [];
/** The texts of kube-scheduler. */
export const existingAntiAffinity = "node(s) didn't satisfy existing pods anti-affinity rules";
const unattracted = "node(s) didn't match pod affinity rules";
export const antiAffinityMismatch = "node(s) didn't match pod anti-affinity rules";

type Filter = (node: Candidate) => readonly string[];

/** The filter of required pod affinities, the pod's own and those of placed pods. Undefined: there are none. */
export function affinityFilter(pod: KubeObject, index: PlacementIndex): Filter | undefined {
  const near = termsOf(pod, 'podAffinity', index);
  const far = termsOf(pod, 'podAntiAffinity', index);
  if (near.length + far.length === 0 && index.antiAffinity.isEmpty) return undefined;
  const attracts = attraction(pod, near, index);
  const taken = far.map((term) => ({
    key: term.topologyKey,
    counts: countsByDomain(index, term.topologyKey, index.counts.count(term)),
  }));
  const closed = [...index.antiAffinity.against(pod)].map(({ key, nodes }) => ({
    key,
    counts: countsByDomain(index, key, new Map([...nodes].map((name) => [name, 1]))),
  }));
  const isIn = ({ labels }: Candidate, { key, counts }: (typeof taken)[number]): boolean =>
    counts.has(labels[key] ?? '') && labels[key] !== undefined;
  return (node) => {
    if (!attracts(node)) return [unattracted];
    if (taken.some((each) => isIn(node, each))) return [antiAffinityMismatch];
    return closed.some((each) => isIn(node, each)) ? [existingAntiAffinity] : fine;
  };
}

/** Pods that match all terms count. The first pod of a group that matches only itself may go anywhere. */
function attraction(
  pod: KubeObject,
  terms: readonly PodTerm[],
  index: PlacementIndex,
): (node: Candidate) => boolean {
  if (terms.length === 0) return () => true;
  const all: PodQuery = {
    id: terms.map(({ id }) => id).join('&'),
    matches: (other) => terms.every((term) => term.matches(other)),
  };
  const found = index.counts.count(all);
  const isFirst = found.size === 0 && all.matches(pod);
  const domains = terms.map(({ topologyKey }) => ({
    topologyKey,
    counts: countsByDomain(index, topologyKey, found),
  }));
  return ({ labels }) =>
    domains.every(({ topologyKey, counts }) => {
      const value = labels[topologyKey];
      return value !== undefined && (isFirst || counts.has(value));
    });
}

/** The score of a node by the pod's preferred pod affinity. Undefined: the pod has none. */
export function affinityScore(
  pod: KubeObject,
  index: PlacementIndex,
): ((node: Candidate) => number) | undefined {
  const desiredAll = [...weighted(pod, 'podAffinity', 1), ...weighted(pod, 'podAntiAffinity', -1)];
  if (desiredAll.length === 0) return undefined;
  const parts = desiredAll.map(({ weight, term: given }) => {
    const term = index.termOf(pod, given);
    const counts = countsByDomain(index, term.topologyKey, index.counts.count(term));
    return { weight, key: term.topologyKey, counts };
  });
  return ({ labels }) =>
    parts.reduce((sum, { weight, key, counts }) => sum + weight * (counts.get(labels[key] ?? '') ?? 0), 0);
}

type Kind = 'podAffinity' | 'podAntiAffinity';

function termsOf(pod: KubeObject, kind: Kind, index: PlacementIndex): readonly PodTerm[] {
  const affinity = objectAt(pod, 'spec', 'affinity');
  if (affinity === undefined) return [];
  return listAt(affinity, kind, required)
    .filter(isObject)
    .map((term) => index.termOf(pod, term));
}

function weighted(
  pod: KubeObject,
  kind: Kind,
  sign: number,
): readonly { readonly weight: number; readonly term: JsonObject }[] {
  const affinity = objectAt(pod, 'spec', 'affinity');
  if (affinity === undefined) return [];
  return listAt(affinity, kind, 'preferredDuringSchedulingIgnoredDuringExecution').flatMap((each) => {
    const term = objectAt(each, 'podAffinityTerm');
    return term === undefined ? [] : [{ weight: sign * (numberAt(each, 'weight') ?? 1), term }];
  });
}
