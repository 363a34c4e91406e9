import { isOlder } from '#loop/versions.ts';
import { resourceVersionOf, uidOf, type KubeObject, type WithMetadata } from '#kube/object.ts';

/** Read-your-writes: the responses to our own writes, while an informer shows something older. */
export class Newest<Kept extends WithMetadata = KubeObject> {
  readonly #written = new Map<string, Kept>();
  readonly #removed = new Set<string>();

  note(object: Kept): void {
    this.#written.set(uidOf(object), object);
  }

  /** The newer one of our last write and what the informer shows. */
  of(shown: Kept): Kept {
    const newest = this.after(shown);
    if (newest === shown) this.#written.delete(uidOf(shown));
    return newest;
  }

  /** The same for an object that was read before, perhaps as our own write: an informer need not show it. */
  after(read: Kept): Kept {
    const written = this.#written.get(uidOf(read));
    return written !== undefined && isOlder(resourceVersionOf(read), resourceVersionOf(written))
      ? written
      : read;
  }

  /** We have deleted it. */
  noteRemoved(object: Kept): void {
    this.#removed.add(uidOf(object));
  }

  /** Those of the objects that an informer shows which we have not deleted. */
  present(shown: readonly Kept[]): readonly Kept[] {
    return this.#removed.size === 0 ? shown : shown.filter((each) => !this.#removed.has(uidOf(each)));
  }

  /** An informer has shown that the object is gone. */
  forget(uid: string): void {
    this.#written.delete(uid);
    this.#removed.delete(uid);
  }
}
