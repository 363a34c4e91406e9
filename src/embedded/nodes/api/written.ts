import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

type Write = { readonly over: string; readonly object: KubeObject };

/** Own writes, kept while the informer still shows the version that they replaced. */
export class Written {
  readonly #writes = new Map<string, Write>();

  note(over: KubeObject, object: KubeObject): void {
    this.#writes.set(uidOf(over), { over: resourceVersionOf(over), object });
  }

  /** The own write if it is newer, otherwise the object of the informer. */
  newest(shown: KubeObject): KubeObject {
    const write = this.#writes.get(uidOf(shown));
    if (write === undefined) return shown;
    // Every write names the resourceVersion that it replaces: no other write can lie between the two.
    if (write.over === resourceVersionOf(shown)) return write.object;
    this.#writes.delete(uidOf(shown));
    return shown;
  }

  forget(uid: string): void {
    this.#writes.delete(uid);
  }
}
