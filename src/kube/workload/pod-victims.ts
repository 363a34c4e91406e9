import { at, listAt, numberAt } from '#base/json.ts';
import { instant, type Instant } from '#base/time.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';
import { factsOf, isActive, type PodFacts } from './pod-facts.ts';

/** A pod with the facts that decide which pod is deleted first. */
type Ranked = {
  readonly pod: KubeObject;
  readonly facts: PodFacts;
  readonly cost: number;
  /** Active pods of the same family on the same node. */
  readonly neighbours: number;
  readonly restarts: number;
};

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** The pods to delete when a set is scaled down, the least valuable first; pods of `family` count for how crowded a node is. */
export function chooseVictims(
  pods: readonly KubeObject[],
  count: number,
  family: Iterable<KubeObject>,
  now: Instant,
): readonly KubeObject[] {
  if (count >= pods.length) return pods;
  if (count <= 0) return [];
  return rankVictims(pods, family, now).slice(0, count);
}

export function rankVictims(
  pods: readonly KubeObject[],
  family: Iterable<KubeObject>,
  now: Instant,
): readonly KubeObject[] {
  const perNode = new Map<string, number>();
  for (const pod of family) {
    const facts = factsOf(pod);
    if (isActive(facts)) perNode.set(facts.node, (perNode.get(facts.node) ?? 0) + 1);
  }
  const ranked = pods.map((pod): Ranked => {
    const facts = factsOf(pod);
    return {
      pod,
      facts,
      cost: costOf(pod),
      neighbours: perNode.get(facts.node) ?? 0,
      restarts: restartsOf(pod),
    };
  });
  const compare = comparison(now);
  return ranked.sort(compare).map(({ pod }) => pod);
}

type Compare = (left: Ranked, right: Ranked) => number;

/** The first criterion in which two pods differ decides. */
function comparison(now: Instant): Compare {
  const questions: readonly Compare[] = [
    (left, right) => Number(left.facts.node !== '') - Number(right.facts.node !== ''),
    (left, right) => (phaseOrder[left.facts.phase] ?? 0) - (phaseOrder[right.facts.phase] ?? 0),
    (left, right) => Number(left.facts.isReady) - Number(right.facts.isReady),
    (left, right) => left.cost - right.cost,
    (left, right) => right.neighbours - left.neighbours,
    (left, right) =>
      left.facts.isReady && right.facts.isReady
        ? byAge(left, right, now, ({ readySince }) => readySince ?? instant(0))
        : 0,
    (left, right) => right.restarts - left.restarts,
    (left, right) => byAge(left, right, now, ({ created }) => created),
  ];
  return (left, right) => {
    for (const question of questions) {
      const answer = question(left, right);
      if (answer !== 0) return answer;
    }
    return 0;
  };
}

/** Younger ones first, but ages of the same power of two count as one: then the uid decides. */
function byAge(left: Ranked, right: Ranked, now: Instant, since: (facts: PodFacts) => Instant): number {
  const [first, second] = [since(left.facts), since(right.facts)];
  if (first === second) return 0;
  const difference = magnitude(now - first) - magnitude(now - second);
  if (difference !== 0) return difference;
  return left.facts.uid < right.facts.uid ? -1 : 1;
}

/** Ages are compared in nanoseconds. */
const magnitude = (age: number): number => (age > 0 ? Math.floor(Math.log2(age * 1_000_000)) : -1);

function costOf(pod: KubeObject): number {
  const text = annotationsOf(pod)[costAnnotation] ?? '0';
  return /^-?\d+$/.test(text) ? Number(text) : 0;
}

function restartsOf(pod: KubeObject): number {
  let most = 0;
  for (const key of ['initContainerStatuses', 'containerStatuses']) {
    for (const status of listAt(at(pod, 'status'), key)) {
      most = Math.max(most, numberAt(status, 'restartCount') ?? 0);
    }
  }
  return most;
}
