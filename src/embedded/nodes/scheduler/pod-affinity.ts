import { isObject, listAt, numberAt, objectAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Candidate } from './candidate.ts';
import type { PodQuery } from './census.ts';
import type { PodTerm } from './pod-term.ts';
import { required } from './repulsion.ts';
import { countsByDomain, type Society } from './society.ts';

const fine: readonly string[] = [];
/** In the words of a real scheduler. */
export const repelled = "node(s) didn't satisfy existing pods anti-affinity rules";
const unattracted = "node(s) didn't match pod affinity rules";
export const repelling = "node(s) didn't match pod anti-affinity rules";

type Filter = (node: Candidate) => readonly string[];

/** What required affinities, the pod's own and those of others towards it, say of a node. Undefined: nothing. */
export function affinityFilter(pod: KubeObject, society: Society): Filter | undefined {
  const near = termsOf(pod, 'podAffinity', society);
  const far = termsOf(pod, 'podAntiAffinity', society);
  if (near.length + far.length === 0 && society.repulsion.isEmpty) return undefined;
  const attracts = attraction(pod, near, society);
  const taken = far.map((term) => ({
    key: term.topologyKey,
    counts: countsByDomain(society, term.topologyKey, society.census.count(term)),
  }));
  const closed = [...society.repulsion.against(pod)].map(({ key, nodes }) => ({
    key,
    counts: countsByDomain(society, key, new Map([...nodes].map((name) => [name, 1]))),
  }));
  const isIn = ({ labels }: Candidate, { key, counts }: (typeof taken)[number]): boolean =>
    counts.has(labels[key] ?? '') && labels[key] !== undefined;
  return (node) => {
    if (!attracts(node)) return [unattracted];
    if (taken.some((each) => isIn(node, each))) return [repelling];
    return closed.some((each) => isIn(node, each)) ? [repelled] : fine;
  };
}

/** Pods count that match all terms. The first of a group that wants only itself may go anywhere. */
function attraction(
  pod: KubeObject,
  terms: readonly PodTerm[],
  society: Society,
): (node: Candidate) => boolean {
  if (terms.length === 0) return () => true;
  const all: PodQuery = {
    id: terms.map(({ id }) => id).join('&'),
    matches: (other) => terms.every((term) => term.matches(other)),
  };
  const found = society.census.count(all);
  const isFirst = found.size === 0 && all.matches(pod);
  const domains = terms.map(({ topologyKey }) => ({
    topologyKey,
    counts: countsByDomain(society, topologyKey, found),
  }));
  return ({ labels }) =>
    domains.every(({ topologyKey, counts }) => {
      const value = labels[topologyKey];
      return value !== undefined && (isFirst || counts.has(value));
    });
}

/** How much a node is liked for the company it offers. Undefined: the pod does not care. */
export function affinityScore(pod: KubeObject, society: Society): ((node: Candidate) => number) | undefined {
  const wishes = [...weighted(pod, 'podAffinity', 1), ...weighted(pod, 'podAntiAffinity', -1)];
  if (wishes.length === 0) return undefined;
  const parts = wishes.map(({ weight, term: given }) => {
    const term = society.termOf(pod, given);
    const counts = countsByDomain(society, term.topologyKey, society.census.count(term));
    return { weight, key: term.topologyKey, counts };
  });
  return ({ labels }) =>
    parts.reduce((sum, { weight, key, counts }) => sum + weight * (counts.get(labels[key] ?? '') ?? 0), 0);
}

type Kind = 'podAffinity' | 'podAntiAffinity';

function termsOf(pod: KubeObject, kind: Kind, society: Society): readonly PodTerm[] {
  const affinity = objectAt(pod, 'spec', 'affinity');
  if (affinity === undefined) return [];
  return listAt(affinity, kind, required)
    .filter(isObject)
    .map((term) => society.termOf(pod, term));
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
