import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

type Write = { readonly over: string; readonly object: KubeObject };

/** Our own last writes, for as long as an informer still shows what they were made over. */
export class Written {
  readonly #writes = new Map<string, Write>();

  note(over: KubeObject, object: KubeObject): void {
    this.#writes.set(uidOf(over), { over: resourceVersionOf(over), object });
  }

  /** What we know to be newer, or what was shown. */
  newest(shown: KubeObject): KubeObject {
    const write = this.#writes.get(uidOf(shown));
    if (write === undefined) return shown;
    // Every write names the version it is made over: nothing can lie between the two.
    if (write.over === resourceVersionOf(shown)) return write.object;
    this.#writes.delete(uidOf(shown));
    return shown;
  }

  forget(uid: string): void {
    this.#writes.delete(uid);
  }
}
