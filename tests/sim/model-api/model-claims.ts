import { listAt, textAt, without } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import { millis, type Clock } from '#base/time.ts';
import { claimFinalizer, isClaimUsed } from '#embedded/controllers/protection/in-use.ts';
import { isDeleting, metaOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { ModelApi } from './model-api.ts';
import type { ModelChange, ModelStore } from './model-store.ts';

const storage = '/persistentvolumeclaims';

export type ClaimsDeps = { readonly api: ModelApi; readonly clock: Clock; readonly random: Random };

/** Protection of claims: one that is deleted stays until no pod with a node uses it. */
export class ModelClaims {
  readonly #deps: ClaimsDeps;
  /** Namespaces that are looked at soon. */
  readonly #due = new Set<string>();

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
  }

  /** Follows the store from now on. */
  begin(): void {
    this.#deps.api.store.subscribe((change) => this.#see(change));
  }

  #see({ storage: changed, object }: ModelChange): void {
    if (changed !== '/pods' && changed !== storage) return;
    const { api, clock, random } = this.#deps;
    const namespace = namespaceOf(object);
    if (this.#due.has(namespace) || ![...api.store.within(storage, namespace).values()].some(isDeleting))
      return;
    this.#due.add(namespace);
    clock.after(millis(10 + 10 * Math.ceil(random.next() * 20)), () => {
      this.#due.delete(namespace);
      for (const claim of api.store.within(storage, namespace).values()) this.#free(claim);
    });
  }

  #free(claim: KubeObject): void {
    const { api } = this.#deps;
    const pods = [...api.store.within('/pods', namespaceOf(claim)).values()];
    if (!isDeleting(claim) || isClaimUsed(claim, pods)) return;
    const finalizers = listAt(claim, 'metadata', 'finalizers').filter((each) => each !== claimFinalizer);
    api.set(
      storage,
      finalizers.length > 0
        ? { ...claim, metadata: { ...metaOf(claim), finalizers } }
        : { ...claim, metadata: without(metaOf(claim), 'finalizers') },
    );
  }
}

/** Whether all claims of a pod are there to stay: otherwise no node is chosen for it. */
export const hasItsClaims = (store: ModelStore, pod: KubeObject): boolean =>
  claimNamesOf(pod).every((name) => {
    const claim = store.get(storage, namespaceOf(pod), name);
    return claim !== undefined && !isDeleting(claim);
  });

const claimNamesOf = (pod: KubeObject): readonly string[] =>
  listAt(pod, 'spec', 'volumes').flatMap(
    (volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') ?? [],
  );

/** Whether the change of a claim can let a pod that waits for it be bound. */
export const frees = ({ storage: changed, object }: ModelChange, pod: KubeObject): boolean =>
  changed === storage && claimNamesOf(pod).includes(nameOf(object));
