import type { KubeObject } from '#kube/object.ts';

/** Somebody's question about pods; the same id is the same question. */
export type PodQuery = { readonly id: string; matches(pod: KubeObject): boolean };
export type PlacedPod = { readonly pod: KubeObject; readonly node: string };
type Count = { readonly question: PodQuery; readonly byNode: Map<string, number> };

/** More questions than the workloads of a cluster ask: a guard, no rule. */
const mostQuestions = 512;

/** How many pods of which kind are on which node. Counted when first asked, and kept up from then on. */
export class PodCounts {
  readonly #placed: () => Iterable<PlacedPod>;
  readonly #counts = new Map<string, Count>();

  constructor(placed: () => Iterable<PlacedPod>) {
    this.#placed = placed;
  }

  /** False while nobody asks: then nobody has to be told. */
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

  /** What questions mean has changed. */
  forget(): void {
    this.#counts.clear();
  }
}

export function bump(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
