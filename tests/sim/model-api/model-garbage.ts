import { listAt, textAt, without, type Json } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import { millis, type Clock } from '#base/time.ts';
import {
  isDeleting,
  metaOf,
  nameOf,
  namespaceOf,
  objectKeyOf,
  uidOf,
  withMeta,
  type KubeObject,
} from '#kube/object.ts';
import { outcomeOf, type ModelApi } from './model-api.ts';
import { modelKinds } from './model-kinds.ts';
import type { ModelChange } from './model-store.ts';

type Dependent = {
  readonly storage: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
};

export type GarbageDeps = { readonly api: ModelApi; readonly clock: Clock; readonly random: Random };

/** Garbage collection: what has lost all of its owners is deleted after a while; orphans lose their references. */
export class ModelGarbage {
  readonly #deps: GarbageDeps;
  /** By the uid of an owner. */
  readonly #dependents = new Map<string, Map<string, Dependent>>();
  /** Uids of all objects that are there. */
  readonly #alive = new Set<string>();

  constructor(deps: GarbageDeps) {
    this.#deps = deps;
  }

  /** Follows the store from now on. */
  begin(): void {
    this.#deps.api.store.subscribe((change) => this.#see(change));
  }

  #see({ type, storage, object, before }: ModelChange): void {
    if (storage === '/events') return;
    if (type === 'DELETED') this.#seeGone(storage, object);
    else this.#alive.add(uidOf(object));
    const hasOwners = before === undefined || referencesOf(before) !== referencesOf(object);
    if (type !== 'DELETED' && hasOwners) {
      this.#index(storage, object, false);
      this.#collectLate(object);
    }
    if (type === 'MODIFIED' && isDeleting(object) && policyOf(object) !== undefined)
      this.#soon(() => this.#finish(storage, object));
  }

  #seeGone(storage: string, object: KubeObject): void {
    const uid = uidOf(object);
    this.#alive.delete(uid);
    this.#index(storage, object, true);
    if (this.#dependents.has(uid)) this.#soon(() => this.#collect(uid));
  }

  /** It was created, or adopted, when its owner was gone already. */
  #collectLate(object: KubeObject): void {
    const owners = ownersOf(object);
    if (owners.every((owner) => this.#alive.has(owner))) return;
    for (const owner of owners) this.#soon(() => this.#collect(owner));
  }

  #index(storage: string, object: KubeObject, isGone: boolean): void {
    const uid = uidOf(object);
    for (const owner of ownersOf(object)) {
      const all = this.#dependents.get(owner) ?? new Map<string, Dependent>();
      this.#dependents.set(owner, all);
      if (isGone) all.delete(uid);
      else all.set(uid, { storage, uid, ...objectKeyOf(object) });
    }
  }

  #soon(task: () => void): void {
    const { clock, random } = this.#deps;
    clock.after(millis(10 * Math.ceil(random.next() * 40)), task);
  }

  /** Deletes what only this owner had. */
  #collect(owner: string): void {
    if (this.#alive.has(owner)) return;
    for (const object of this.#objectsOf(owner)) {
      const live = ownersOf(object).filter((each) => this.#alive.has(each));
      if (live.length === 0) this.#remove(object);
    }
  }

  /** Foreground: dependents go first. Orphan: they lose the reference. */
  #finish(storage: string, seen: KubeObject): void {
    const { api } = this.#deps;
    const object = api.store.get(storage, namespaceOf(seen), nameOf(seen));
    const policy = object === undefined ? undefined : policyOf(object);
    if (object === undefined || policy === undefined) return;
    const dependents = this.#objectsOf(uidOf(object));
    if (policy === 'orphan') for (const each of dependents) this.#release(each, uidOf(object));
    else for (const each of dependents) if (!isDeleting(each)) this.#remove(each);
    if (policy === 'foregroundDeletion' && this.#objectsOf(uidOf(object)).length > 0) {
      this.#soon(() => this.#finish(storage, object));
      return;
    }
    const finalizers = listAt(object, 'metadata', 'finalizers').filter((each) => each !== policy);
    api.set(
      storage,
      finalizers.length === 0
        ? { ...object, metadata: without(metaOf(object), 'finalizers') }
        : withMeta(object, { finalizers }),
    );
  }

  #objectsOf(owner: string): readonly KubeObject[] {
    const { store } = this.#deps.api;
    return [...(this.#dependents.get(owner)?.values() ?? [])].flatMap(({ storage, namespace, name, uid }) => {
      const object = store.get(storage, namespace, name);
      return object !== undefined && uidOf(object) === uid ? [object] : [];
    });
  }

  #release(object: KubeObject, owner: string): void {
    const left: readonly Json[] = listAt(object, 'metadata', 'ownerReferences').filter(
      (each) => textAt(each, 'uid') !== owner,
    );
    this.#dependents.get(owner)?.delete(uidOf(object));
    const storage = storageOfObject(object);
    if (storage !== undefined) this.#deps.api.set(storage, withMeta(object, { ownerReferences: left }));
  }

  #remove(object: KubeObject): void {
    const { api } = this.#deps;
    const kind = api.kindNamed(textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? '');
    if (kind !== undefined)
      outcomeOf(() =>
        api.remove(kind, objectKeyOf(object), {
          propagationPolicy: 'Background',
          preconditions: { uid: uidOf(object) },
        }),
      );
  }
}

const referencesOf = (object: KubeObject): readonly Json[] => listAt(object, 'metadata', 'ownerReferences');

const ownersOf = (object: KubeObject): readonly string[] =>
  listAt(object, 'metadata', 'ownerReferences').map((each) => textAt(each, 'uid') ?? '');

const policyOf = (object: KubeObject): string | undefined => {
  const finalizers = listAt(object, 'metadata', 'finalizers');
  return ['orphan', 'foregroundDeletion'].find((each) => finalizers.includes(each));
};

const storageOfObject = (object: KubeObject): string | undefined =>
  modelKinds.find(
    (each) => each.kind === textAt(object, 'kind') && each.apiVersion === textAt(object, 'apiVersion'),
  )?.storage;
