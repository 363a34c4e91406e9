import type { JsonObject } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { podNeeds, type Amounts } from './amounts.ts';
import { nodeLabel } from '#nodes/node/node-shape.ts';
import { lot, mixed } from '#nodes/tuning/draw.ts';
import type { Candidate } from './candidate.ts';
import { matchesAffinity } from './node-affinity.ts';
import { isTolerated, tolerationsOf, type Taint } from './taints.ts';

/** What is on a node already. */
export type Load = { readonly requested: Amounts; readonly pods: number };

export type Choice =
  { readonly type: 'chosen'; readonly node: string } | { readonly type: 'none'; readonly message: string };

type Asking = {
  readonly pod: KubeObject;
  readonly needs: Amounts;
  readonly tolerations: readonly JsonObject[];
};

type Filter = (asking: Asking, node: Candidate, load: Load) => readonly string[];

const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };
const fine: readonly string[] = [];

/** K1: why a node is not fit, in the words of a real scheduler; the first filter that objects speaks. */
const filters: readonly Filter[] = [
  ({ tolerations }, { isCordoned }) =>
    isCordoned && !isTolerated(tolerations, cordon) ? ['node(s) were unschedulable'] : fine,
  ({ tolerations }, { taints }) => {
    // The taint that reserves a node for this scheduler does not bind it.
    const binding = taints.filter(({ key, effect }) => effect !== 'PreferNoSchedule' && key !== nodeLabel);
    const taint = binding.find((each) => !isTolerated(tolerations, each));
    return taint === undefined ? fine : [`node(s) had untolerated taint {${taint.key}: ${taint.value}}`];
  },
  ({ pod }, node) =>
    matchesAffinity(pod, node) ? fine : ["node(s) didn't match Pod's node affinity/selector"],
  ({ needs }, { allocatable }, { requested, pods }) => {
    const short = Object.keys(needs).filter(
      (resource) =>
        (needs[resource] ?? 0) > 0 &&
        (needs[resource] ?? 0) + (requested[resource] ?? 0) > (allocatable[resource] ?? 0),
    );
    const full = pods + 1 > (allocatable['pods'] ?? 0) ? ['Too many pods'] : fine;
    return short.length === 0 ? full : [...full, ...short.map((resource) => `Insufficient ${resource}`)];
  },
];

const empty: Load = { requested: {}, pods: 0 };

/** The node with the fewest pods among those that fit. The same seed and the same world give the same answer. */
export function chooseNode(
  pod: KubeObject,
  nodes: readonly Candidate[],
  loads: ReadonlyMap<string, Load>,
  seed: number,
): Choice {
  const asking = { pod, needs: podNeeds(pod), tolerations: tolerationsOf(pod) };
  const ticket = lot(`${seed}/${namespaceOf(pod)}/${nameOf(pod)}`);
  const objections: (readonly string[])[] = [];
  let best: Candidate | undefined;
  let bestRank: readonly number[] = [];
  for (const node of nodes) {
    const load = loads.get(node.name) ?? empty;
    const objection = objectionTo(asking, node, load);
    if (objection.length > 0) {
      objections.push(objection);
      continue;
    }
    const rank = [disliked(asking, node), load.pods, mixed(node.lot ^ ticket)];
    if (best !== undefined && !isBefore(rank, bestRank)) continue;
    best = node;
    bestRank = rank;
  }
  if (best !== undefined) return { type: 'chosen', node: best.name };
  return { type: 'none', message: explain(nodes.length, objections) };
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
  const couldPreempt = objections.filter((reasons) => reasons.every(isShortage)).length;
  const preemption = [
    ...(couldPreempt > 0 ? [`${couldPreempt} No preemption victims found for incoming pod`] : []),
    ...(total > couldPreempt ? [`${total - couldPreempt} Preemption is not helpful for scheduling`] : []),
  ];
  const none = `0/${total} nodes are available: `;
  return `${none}${counted(objections.flat())}. preemption: ${none}${preemption.sort().join(', ')}.`;
}

const isShortage = (reason: string): boolean =>
  reason === 'Too many pods' || reason.startsWith('Insufficient ');

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
