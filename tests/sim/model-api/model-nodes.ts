import { listAt, objectAt, textAt } from '#base/json.ts';
import { seconds, type Clock } from '#base/time.ts';
import { setCondition } from '#kube/conditions.ts';
import { isDeleting, objectKeyOf, type KubeObject } from '#kube/object.ts';
import { nodes, pods } from '#loop/owned/resources.ts';
import { outcomeOf, type ModelApi } from './model-api.ts';
import type { ModelKubelets } from './model-kubelets.ts';

/** What becomes of a node that is lost: it does not answer and comes back, or it is removed from the cluster. */
export type NodeLoss = {
  readonly node: number;
  /** Its pods are deleted after so many seconds. */
  readonly evictAfter: number;
  readonly isRemoved: boolean;
};

export type NodesDeps = {
  readonly api: ModelApi;
  readonly clock: Clock;
  readonly kubelets: ModelKubelets;
  readonly nodeNames: readonly string[];
};

/** The node controllers of Kubernetes: pods of a lost node are not ready, are deleted, and end when it comes back. */
export class ModelNodes {
  readonly #deps: NodesDeps;
  /** Lost nodes, and how often each node was lost. */
  readonly #lost = new Set<string>();
  readonly #losses = new Map<string, number>();

  constructor(deps: NodesDeps) {
    this.#deps = deps;
  }

  lose({ node, evictAfter, isRemoved }: NodeLoss): void {
    const { api, clock, kubelets, nodeNames } = this.#deps;
    const name = nodeNames[node % nodeNames.length] ?? '';
    // Somewhere pods must be able to run.
    if (this.#lost.has(name) || this.#lost.size >= nodeNames.length - 1) return;
    const number = (this.#losses.get(name) ?? 0) + 1;
    this.#losses.set(name, number);
    this.#lost.add(name);
    kubelets.lost.add(name);
    this.#setReady(name, 'Unknown');
    for (const pod of this.#podsOn(name)) api.set('/pods', unready(pod, clock.now()));
    clock.after(seconds(evictAfter), () => {
      if (!this.#lost.has(name) || this.#losses.get(name) !== number) return;
      if (isRemoved) outcomeOf(() => api.remove(nodes, { name }));
      for (const pod of this.#podsOn(name)) this.#evict(pod, isRemoved);
    });
  }

  /** All nodes are back, as they were or as new machines. */
  restoreAll(): void {
    const { api, kubelets } = this.#deps;
    for (const name of this.#lost) {
      this.#lost.delete(name);
      if (api.store.get('/nodes', '', name) === undefined) api.create(nodes, nodeOf(name));
      else this.#setReady(name, 'True');
      kubelets.found(name);
    }
  }

  /** Pods of a node that exists no more are removed at once: nothing can run there. */
  #evict(pod: KubeObject, isRemoved: boolean): void {
    const { api } = this.#deps;
    if (isRemoved) {
      const status = { ...objectAt(pod, 'status'), phase: 'Failed' };
      api.set('/pods', { ...pod, status });
      outcomeOf(() => api.remove(pods, objectKeyOf(pod), { gracePeriodSeconds: 0 }));
    } else if (!isDeleting(pod)) outcomeOf(() => api.remove(pods, objectKeyOf(pod)));
  }

  #podsOn(name: string): readonly KubeObject[] {
    return this.#deps.api.store.all('/pods').filter((pod) => textAt(pod, 'spec', 'nodeName') === name);
  }

  #setReady(name: string, status: 'True' | 'Unknown'): void {
    const { api, clock } = this.#deps;
    const node = api.store.get('/nodes', '', name);
    if (node === undefined) return;
    const conditions = setCondition(
      listAt(node, 'status', 'conditions'),
      { type: 'Ready', status },
      clock.now(),
    );
    api.set('/nodes', { ...node, status: { ...objectAt(node, 'status'), conditions } });
  }
}

const unready = (pod: KubeObject, now: Parameters<typeof setCondition>[2]): KubeObject => ({
  ...pod,
  status: {
    ...objectAt(pod, 'status'),
    conditions: setCondition(
      listAt(pod, 'status', 'conditions'),
      { type: 'Ready', status: 'False', reason: 'NodeNotReady' },
      now,
    ),
  },
});

export const nodeOf = (name: string): KubeObject => ({
  metadata: { name, labels: { 'boathook.dev/hot-patch': 'true' } },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});
