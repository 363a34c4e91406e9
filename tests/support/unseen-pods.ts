import type { Instant } from '#base/time.ts';
import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** The resourceVersion up to which a controller had received the changes of a resource when it decided on a write. */
export type Received = (plural: string) => number;

/** A pod as it was, and the change that nobody may have received. */
type Loss = { readonly pod: KubeObject; readonly version: number; readonly at: Instant };

/** Pods that others took away, or that arrived late, by workload: what a controller has not received excuses its act. */
export class UnseenPods {
  readonly #byOwner = new Map<string, Map<string, Loss>>();

  note(owner: string, before: KubeObject, after: KubeObject, at: Instant): void {
    const known = this.#byOwner.get(owner) ?? new Map<string, Loss>();
    this.#byOwner.set(owner, known);
    known.set(uidOf(before), { pod: before, version: Number(resourceVersionOf(after)), at });
  }

  /** The controller has taken the pod away too. */
  drop(owner: string, pod: KubeObject): void {
    this.#byOwner.get(owner)?.delete(uidOf(pod));
  }

  /** Everybody has seen what happened up to this time. */
  calm(until: Instant): void {
    for (const [owner, losses] of this.#byOwner) {
      for (const [uid, { at }] of losses) if (at <= until) losses.delete(uid);
      if (losses.size === 0) this.#byOwner.delete(owner);
    }
  }

  /** Those of which a controller had not heard when it decided. Where nobody knows, it had heard of none. */
  unseen(owner: string, received: Received | undefined): readonly KubeObject[] {
    const losses = this.#byOwner.get(owner);
    if (losses === undefined) return [];
    const known = received?.('pods') ?? -1;
    return [...losses.values()].filter(({ version }) => version > known).map(({ pod }) => pod);
  }
}
