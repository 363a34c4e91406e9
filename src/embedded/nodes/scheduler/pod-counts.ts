import type { KubeObject } from '#kube/object.ts';

/** A query for pods; equal ids mean equal queries. */
export type PodQuery = { readonly id: string; matches(pod: KubeObject): boolean };
export type PlacedPod = { readonly pod: KubeObject; readonly node: string };
type Count = { readonly question: PodQuery; readonly byNode: Map<string, number> };

/** A limit on memory: more queries than the workloads of a cluster have. */
const mostQuestions = 512;

/** How many pods match each query on each node. Counted at the first use, then updated with every change. */
export class PodCounts {
  readonly #placed: () => Iterable<PlacedPod>;
  readonly #counts = new Map<string, Count>();

  constructor(placed: () => Iterable<PlacedPod>) {
    this.#placed = placed;
  }

  /** False while there is no query: then changes need not be passed on. */
  get isAsked(): boolean {
    return this.#counts.size > 0;
  }

  /** By node; nodes without such pods are not listed. */
  count(question: PodQuery): ReadonlyMap<string, number> {
    const known = this.#counts.get(question.id);
    if (known !== undefined) return known.byNode;
    if (this.#counts.size >= mostQuestions) this.#counts.clear();
    const made = { question, byNode: new Map<string, number>() };
    for (const { pod, node } of this.#placed()) if (question.matches(pod)) bump(made.byNode, node, 1);
    this.#counts.set(question.id, made);
    return made.byNode;
  }

  add({ pod, node }: PlacedPod): void {
    for (const { question, byNode } of this.#counts.values())
      if (question.matches(pod)) bump(byNode, node, 1);
  }

  remove({ pod, node }: PlacedPod): void {
    for (const { question, byNode } of this.#counts.values())
      if (question.matches(pod)) bump(byNode, node, -1);
  }

  /** Namespace labels have changed: matches must be counted again. */
  forget(): void {
    this.#counts.clear();
  }
}

export function bump(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
