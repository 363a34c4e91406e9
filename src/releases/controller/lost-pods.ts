import type { KubeObject } from '#kube/object.ts';
import { idOf } from './pod-ids.ts';

/** `isSought`: the server was asked for it since its creation was not confirmed. */
type LostPod = { readonly pod: KubeObject; readonly isSought: boolean };

/** Pods whose creation was not confirmed: they may exist though the informer does not show them yet. */
export class LostPods {
  /** By workload and id. */
  readonly #byKey = new Map<string, Map<string, LostPod>>();

  note(key: string, pod: KubeObject): void {
    const lost = this.#byKey.get(key) ?? new Map<string, LostPod>();
    this.#byKey.set(key, lost.set(idOf(pod), { pod, isSought: false }));
  }

  has(key: string, id: string): boolean {
    return this.#byKey.get(key)?.has(id) === true;
  }

  /** Ids that no pod is seen to have. Used again, each makes at most one pod. */
  unseen(key: string, seen: ReadonlySet<string>): readonly string[] {
    const lost = this.#byKey.get(key);
    if (lost === undefined) return [];
    for (const id of lost.keys()) if (seen.has(id)) lost.delete(id);
    if (lost.size === 0) this.#byKey.delete(key);
    return [...lost.keys()];
  }

  unsought(key: string): readonly KubeObject[] {
    return [...(this.#byKey.get(key)?.values() ?? [])].flatMap(({ pod, isSought }) =>
      isSought ? [] : [pod],
    );
  }

  noteSought(key: string, pod: KubeObject): void {
    this.#byKey.get(key)?.set(idOf(pod), { pod, isSought: true });
  }

  /** A pod of another owner has its name: the id is of no use. */
  drop(key: string, pod: KubeObject): void {
    this.#byKey.get(key)?.delete(idOf(pod));
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}
