import type { JsonObject } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { podNeeds, type Amounts } from './amounts.ts';
import { nodeLabel } from '#embedded/nodes/node/node-shape.ts';
import { hashNumber, mixed } from '#embedded/nodes/tuning/draw.ts';
import type { Candidate } from './candidate.ts';
import { collide, hostPortsOf, type HostPort } from './host-ports.ts';
import { matchesAffinity } from './node-affinity.ts';
import { affinityFilter, existingAntiAffinity, antiAffinityMismatch } from './pod-affinity.ts';
import { preferences } from './preferences.ts';
import type { PlacementIndex } from './placement-index.ts';
import { isTolerated, tolerationsOf, type Taint } from '#embedded/nodes/node/taints.ts';
import { skewed, spreadFilter } from './topology-spread.ts';

/** What is on a node already. */
export type Load = {
  readonly requested: Amounts;
  readonly pods: number;
  readonly ports: readonly HostPort[];
};

/** The nodes to choose from, with what is on them. */
export type PlacementOptions = {
  readonly nodes: readonly Candidate[];
  readonly loads: ReadonlyMap<string, Load>;
  /** Undefined: affinity and spread are not checked. */
  readonly index?: PlacementIndex;
};

export type Choice =
  { readonly type: 'chosen'; readonly node: string } | { readonly type: 'none'; readonly message: string };

type Asking = {
  readonly pod: KubeObject;
  readonly needs: Amounts;
  readonly tolerations: readonly JsonObject[];
  readonly ports: readonly HostPort[];
  readonly spread: ReturnType<typeof spreadFilter>;
  readonly affinity: ReturnType<typeof affinityFilter>;
};

type Filter = (asking: Asking, node: Candidate, load: Load) => readonly string[];

const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };
const fine: readonly string[] = [];
export const affinityMismatch = "node(s) didn't match Pod's node affinity/selector";
export const noFreePorts = "node(s) didn't have free ports for the requested pod ports";

/** Why a node does not fit, with the texts of kube-scheduler; the first filter that rejects a node gives the reason. */
const filters: readonly Filter[] = [
  ({ tolerations }, { isCordoned }) =>
    isCordoned && !isTolerated(tolerations, cordon) ? ['node(s) were unschedulable'] : fine,
  ({ tolerations }, { taints }) => {
    // The taint that reserves a node for this scheduler does not count.
    const binding = taints.filter(({ key, effect }) => effect !== 'PreferNoSchedule' && key !== nodeLabel);
    const taint = binding.find((each) => !isTolerated(tolerations, each));
    return taint === undefined ? fine : [`node(s) had untolerated taint {${taint.key}: ${taint.value}}`];
  },
  ({ pod }, node) => (matchesAffinity(pod, node) ? fine : [affinityMismatch]),
  ({ ports }, _node, load) => (ports.length > 0 && collide(ports, load.ports) ? [noFreePorts] : fine),
  ({ needs }, { allocatable }, { requested, pods }) => {
    const short = Object.keys(needs).filter(
      (resource) =>
        (needs[resource] ?? 0) > 0 &&
        (needs[resource] ?? 0) + (requested[resource] ?? 0) > (allocatable[resource] ?? 0),
    );
    const full = pods + 1 > (allocatable['pods'] ?? 0) ? ['Too many pods'] : fine;
    return short.length === 0 ? full : [...full, ...short.map((resource) => `Insufficient ${resource}`)];
  },
  ({ spread }, node) => spread?.(node) ?? fine,
  ({ affinity }, node) => affinity?.(node) ?? fine,
];

export const noLoad: Load = { requested: {}, pods: 0, ports: [] };

/**
 * The node with the best score among those that fit, and of equals the one with the fewest pods. The same
 * seed and the same cluster give the same result.
 */
export function chooseNode(pod: KubeObject, { nodes, loads, index }: PlacementOptions, seed: number): Choice {
  const asking: Asking = {
    pod,
    needs: podNeeds(pod),
    tolerations: tolerationsOf(pod),
    ports: hostPortsOf(pod),
    spread: index && spreadFilter(pod, nodes, index),
    affinity: index && affinityFilter(pod, index),
  };
  const objections: (readonly string[])[] = [];
  const fitting = nodes.filter((node) => {
    const objection = objectionTo(asking, node, loads.get(node.name) ?? noLoad);
    if (objection.length > 0) objections.push(objection);
    return objection.length === 0;
  });
  if (fitting.length === 0) return { type: 'none', message: explain(nodes.length, objections) };
  const score = preferences(pod, fitting, nodes, index);
  const ticket = hashNumber(`${seed}/${namespaceOf(pod)}/${nameOf(pod)}`);
  const rankOf = (node: Candidate): readonly number[] => [
    disliked(asking, node),
    score === undefined ? 0 : -score(node),
    (loads.get(node.name) ?? noLoad).pods,
    mixed(node.tieBreaker ^ ticket),
  ];
  const best = fitting
    .map((node) => ({ node, rank: rankOf(node) }))
    .reduce((first, each) => (isBefore(each.rank, first.rank) ? each : first));
  return { type: 'chosen', node: best.node.name };
}

function objectionTo(asking: Asking, node: Candidate, load: Load): readonly string[] {
  for (const filter of filters) {
    const reasons = filter(asking, node, load);
    if (reasons.length > 0) return reasons;
  }
  return fine;
}

const disliked = ({ tolerations }: Asking, { taints }: Candidate): number =>
  taints.filter((taint) => taint.effect === 'PreferNoSchedule' && !isTolerated(tolerations, taint)).length;

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  for (let at = 0; at < left.length; at += 1) {
    const [mine = 0, other = 0] = [left[at], right[at]];
    if (mine !== other) return mine < other;
  }
  return false;
}

function explain(total: number, objections: readonly (readonly string[])[]): string {
  if (total === 0) return 'no nodes available to schedule pods';
  const couldPreempt = objections.filter((reasons) => reasons.every(couldYield)).length;
  return `0/${total} nodes are available: ${counted(objections.flat())}. ${preemption(total, couldPreempt)}`;
}

/** Why a pod fits no node before any node is checked, with the texts of kube-scheduler. */
export const refusedEverywhere = (total: number, why: string): string =>
  total === 0
    ? 'no nodes available to schedule pods'
    : `0/${total} nodes are available: ${why}. ${preemption(total, 0)}`;

function preemption(total: number, couldPreempt: number): string {
  const parts = [
    ...(couldPreempt > 0 ? [`${couldPreempt} No preemption victims found for incoming pod`] : []),
    ...(total > couldPreempt ? [`${total - couldPreempt} Preemption is not helpful for scheduling`] : []),
  ];
  return `preemption: 0/${total} nodes are available: ${parts.sort().join(', ')}.`;
}

/** Reasons that can change when another pod is deleted. */
const yielding: ReadonlySet<string> = new Set([
  'Too many pods',
  noFreePorts,
  skewed,
  existingAntiAffinity,
  antiAffinityMismatch,
]);
const couldYield = (reason: string): boolean => yielding.has(reason) || reason.startsWith('Insufficient ');

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
