import type { ObjectReference } from '#registrations/model/registration.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';
import {
  readWatched,
  watchObjects,
  watchScope,
  type ReferenceWatchDeps,
  type WatchedObjects,
} from './watched-objects.ts';

/** Referenced objects: read, and watched for as long as a user refers to them. */
export class ReferenceWatch {
  readonly #deps: ReferenceWatchDeps;
  readonly #watches = new Map<string, WatchedObjects>();
  /** The watches of each user, with the names that it refers to. */
  readonly #references = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  #isClosed = false;

  constructor(deps: ReferenceWatchDeps) {
    this.#deps = deps;
  }

  /** Replaces the references of a user and reads them, in their order; undefined for those that do not exist. */
  async refer(
    user: string,
    references: readonly ObjectReference[],
    signal: AbortSignal,
  ): Promise<readonly (KubeObject | undefined)[]> {
    const found = await Promise.all(references.map((each) => this.#deps.client.resourceOf(each, signal)));
    const places = new Map<string, Set<string>>();
    const objects = references.map(async (reference, i) => {
      const place = found[i];
      // A kind that does not exist now is looked up again next time.
      if (place?.type !== 'ok') return undefined;
      if (reference.isNamespacedOnly === true && !place.resource.namespaced) return undefined;
      const watch = this.#watch(place.resource, reference);
      const names = places.get(watch.id) ?? new Set();
      places.set(watch.id, names.add(reference.name));
      return readWatched(
        this.#deps.client,
        { watch: watch.watch, resource: place.resource, reference },
        signal,
      );
    });
    this.#exchange(user, places);
    return Promise.all(objects);
  }

  /** The user has no references any more. */
  release(user: string): void {
    this.#exchange(user, new Map());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    this.#references.clear();
    for (const { stop } of watches) stop.abort();
    await Promise.all(watches.map(({ ended }) => ended));
  }

  #watch(
    resource: Resource,
    reference: ObjectReference,
  ): { readonly id: string; readonly watch: WatchedObjects } {
    const scope = watchScope(resource, reference);
    const known = this.#watches.get(scope.id);
    if (known !== undefined) return { id: scope.id, watch: known };
    const stop = new AbortController();
    if (this.#isClosed) stop.abort();
    const watch = watchObjects(this.#deps, resource, scope, stop);
    this.#watches.set(scope.id, watch);
    return { id: scope.id, watch };
  }

  #exchange(user: string, places: ReadonlyMap<string, ReadonlySet<string>>): void {
    const before = this.#references.get(user);
    if (places.size === 0) this.#references.delete(user);
    else this.#references.set(user, places);
    for (const [id, names] of places)
      for (const name of names) {
        const users = this.#watches.get(id)?.users;
        users?.set(name, (users.get(name) ?? new Set()).add(user));
      }
    for (const [id, names] of before ?? [])
      for (const name of names) if (places.get(id)?.has(name) !== true) this.#leave(id, name, user);
  }

  #leave(id: string, name: string, user: string): void {
    const watch = this.#watches.get(id);
    const users = watch?.users.get(name);
    if (watch === undefined || users === undefined) return;
    users.delete(user);
    if (users.size === 0) watch.users.delete(name);
    if (watch.users.size > 0) return;
    this.#watches.delete(id);
    watch.stop.abort();
  }
}
