import type { Informer } from '#loop/informer.ts';
import { isOlder } from '#loop/versions.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** Pods of which a patch was not confirmed, as it named them, by workload: it may have been written, or still arrive. */
export class LostWrites {
  readonly #informer: Pick<Informer, 'get'>;
  readonly #pods = new Map<string, Map<string, KubeObject>>();

  constructor(informer: Pick<Informer, 'get'>) {
    this.#informer = informer;
  }

  note(key: string, pod: KubeObject): void {
    this.#pods.set(key, (this.#pods.get(key) ?? new Map<string, KubeObject>()).set(uidOf(pod), pod));
  }

  /** Those that the informer does not show with another version. */
  of(key: string): readonly KubeObject[] {
    const pods = [...(this.#pods.get(key)?.values() ?? [])];
    for (const pod of pods) if (isShownAfter(this.#informer, pod)) this.settled(key, pod);
    return [...(this.#pods.get(key)?.values() ?? [])];
  }

  settled(key: string, pod: KubeObject): void {
    const pods = this.#pods.get(key);
    pods?.delete(uidOf(pod));
    if (pods?.size === 0) this.#pods.delete(key);
  }

  forget(key: string): void {
    this.#pods.delete(key);
  }
}

/** Whether an informer shows that a pod is gone, or has changed since it was read. */
export function isShownAfter(informer: Pick<Informer, 'get'>, pod: KubeObject): boolean {
  const shown = informer.get(namespaceOf(pod), nameOf(pod));
  if (shown === undefined || uidOf(shown) !== uidOf(pod)) return true;
  return isOlder(resourceVersionOf(pod), resourceVersionOf(shown));
}
