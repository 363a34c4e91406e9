import { isObject, listAt, objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { bump, type PlacedPod } from './pod-counts.ts';
import type { PodTerm } from './pod-term.ts';

type Kept = { readonly term: PodTerm; readonly byNode: Map<string, number> };
export const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** The required anti-affinity terms of all placed pods. Replicas of one workload share their terms. */
export class AntiAffinityTerms {
  readonly #termOf: (pod: KubeObject, term: KubeObject) => PodTerm;
  readonly #kept = new Map<string, Kept>();

  constructor(termOf: (pod: KubeObject, term: KubeObject) => PodTerm) {
    this.#termOf = termOf;
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  add({ pod, node }: PlacedPod): void {
    this.#each(pod, (term) => {
      const kept = this.#kept.get(term.id) ?? { term, byNode: new Map<string, number>() };
      bump(kept.byNode, node, 1);
      this.#kept.set(term.id, kept);
    });
  }

  remove({ pod, node }: PlacedPod): void {
    this.#each(pod, ({ id }) => {
      const kept = this.#kept.get(id);
      if (kept === undefined) return;
      bump(kept.byNode, node, -1);
      if (kept.byNode.size === 0) this.#kept.delete(id);
    });
  }

  /** The terms that match this pod, with the nodes of the pods that have them. */
  *against(pod: KubeObject): Iterable<{ readonly key: string; readonly nodes: Iterable<string> }> {
    for (const { term, byNode } of this.#kept.values())
      if (term.matches(pod)) yield { key: term.topologyKey, nodes: byNode.keys() };
  }

  #each(pod: KubeObject, act: (term: PodTerm) => void): void {
    const anti = objectAt(pod, 'spec', 'affinity', 'podAntiAffinity');
    if (anti === undefined) return;
    for (const each of listAt(anti, required).filter(isObject)) act(this.#termOf(pod, each));
  }
}
