import type { Instant } from '#base/time.ts';
import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** The resourceVersion up to which a controller had received the changes of a resource when it decided on a write. */
export type Received = (plural: string) => number;

/** A pod as it was, and the change that took it away. */
type Loss = { readonly pod: KubeObject; readonly version: number; readonly at: Instant };

/** Pods that others took away, by workload: what a controller has not heard of excuses its act. */
export class Losses {
  readonly #losses = new Map<string, Map<string, Loss>>();

  note(owner: string, before: KubeObject, after: KubeObject, at: Instant): void {
    const known = this.#losses.get(owner) ?? new Map<string, Loss>();
    this.#losses.set(owner, known);
    known.set(uidOf(before), { pod: before, version: Number(resourceVersionOf(after)), at });
  }

  /** The controller has taken the pod away too. */
  drop(owner: string, pod: KubeObject): void {
    this.#losses.get(owner)?.delete(uidOf(pod));
  }

  /** Everybody has seen what happened up to this time. */
  calm(until: Instant): void {
    for (const [owner, losses] of this.#losses) {
      for (const [uid, { at }] of losses) if (at <= until) losses.delete(uid);
      if (losses.size === 0) this.#losses.delete(owner);
    }
  }

  /** Those of which a controller had not heard when it decided. Where nobody knows, it had heard of none. */
  unseen(owner: string, received: Received | undefined): readonly KubeObject[] {
    const losses = this.#losses.get(owner);
    if (losses === undefined) return [];
    const known = received?.('pods') ?? -1;
    return [...losses.values()].filter(({ version }) => version > known).map(({ pod }) => pod);
  }
}
