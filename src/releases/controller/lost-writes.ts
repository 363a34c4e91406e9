import type { Informer } from '#loop/informer.ts';
import { isOlder } from '#loop/versions.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** Objects of which a write was not confirmed, as it named them, by workload: it may have been written, or still arrive. */
export class LostWrites {
  readonly #isSettled: (object: KubeObject) => boolean;
  readonly #objects = new Map<string, Map<string, KubeObject>>();

  /** `isSettled`: whether an informer shows that the write was carried out, or that the server would refuse it now. */
  constructor(isSettled: (object: KubeObject) => boolean) {
    this.#isSettled = isSettled;
  }

  note(key: string, object: KubeObject): void {
    const objects = this.#objects.get(key) ?? new Map<string, KubeObject>();
    this.#objects.set(key, objects.set(uidOf(object), object));
  }

  /** Those that are not settled. */
  of(key: string): readonly KubeObject[] {
    const objects = [...(this.#objects.get(key)?.values() ?? [])];
    for (const object of objects) if (this.#isSettled(object)) this.settled(key, object);
    return [...(this.#objects.get(key)?.values() ?? [])];
  }

  settled(key: string, object: KubeObject): void {
    const objects = this.#objects.get(key);
    objects?.delete(uidOf(object));
    if (objects?.size === 0) this.#objects.delete(key);
  }

  forget(key: string): void {
    this.#objects.delete(key);
  }
}

/** Whether an informer shows that the object is gone, or another one of its name. */
export const isShownGone = (informer: Pick<Informer, 'get'>, object: KubeObject): boolean => {
  const shown = informer.get(namespaceOf(object), nameOf(object));
  return shown === undefined || uidOf(shown) !== uidOf(object);
};

/** Whether an informer shows that a pod is gone, or has changed since it was read. */
export function isShownAfter(informer: Pick<Informer, 'get'>, pod: KubeObject): boolean {
  const shown = informer.get(namespaceOf(pod), nameOf(pod));
  if (shown === undefined || uidOf(shown) !== uidOf(pod)) return true;
  return isOlder(resourceVersionOf(pod), resourceVersionOf(shown));
}
