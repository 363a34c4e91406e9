import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import type { ObjectReference } from '#registrations/model/registration.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import type { Report } from '#loop/report.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

export type ReferenceWatchDeps = {
  readonly client: Pick<KubeClient, 'get' | 'pages' | 'list' | 'watch' | 'resourceOf'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  /** Called when an object that this user refers to was added, changed or deleted. */
  readonly changed: (user: string) => void;
};

/** The server refuses to return a referenced object. */
export class Unreadable extends Error {}

type Watch = {
  readonly informer: Informer;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  isSynced: boolean;
  /** The users that refer to an object, by its name. */
  readonly users: Map<string, Set<string>>;
};

/** Referenced objects: read, and watched for as long as a user refers to them. */
export class ReferenceWatch {
  readonly #deps: ReferenceWatchDeps;
  readonly #watches = new Map<string, Watch>();
  /** The watches of each user, with the names that it refers to. */
  readonly #held = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  #isClosed = false;

  constructor(deps: ReferenceWatchDeps) {
    this.#deps = deps;
  }

  /** Replaces the references of a user and reads them, in their order; undefined for those that do not exist. */
  async hold(
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
      return this.#read(watch.watch, place.resource, reference, signal);
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
    this.#held.clear();
    for (const { stop } of watches) stop.abort();
    await Promise.all(watches.map(({ ended }) => ended));
  }

  async #read(
    watch: Watch,
    resource: Resource,
    { namespace, name }: ObjectReference,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    if (watch.isSynced) return watch.informer.get(resource.namespaced ? namespace : '', name);
    const outcome = await this.#deps.client.get(resource, { namespace, name }, signal);
    if (outcome.type === 'ok') return outcome.object;
    if (outcome.type === 'not-found') return undefined;
    throw new Unreadable(`${resource.plural} ${namespace}/${name} cannot be read: ${outcome.message}`);
  }

  #watch(resource: Resource, reference: ObjectReference): { readonly id: string; readonly watch: Watch } {
    const { group, version, plural, namespaced } = resource;
    const namespace = namespaced ? reference.namespace : '';
    // Secrets and ConfigMaps are watched one by one, so that no others are cached.
    const isPrivate = group === '' && (plural === 'secrets' || plural === 'configmaps');
    const id = [group, version, plural, namespace, isPrivate ? reference.name : ''].join('/');
    const known = this.#watches.get(id);
    if (known !== undefined) return { id, watch: known };
    const { client, clock, random, report } = this.#deps;
    const informer = createInformer({
      client,
      clock,
      random,
      report,
      resource,
      dropManagedFields: true,
      ...(namespace === '' ? {} : { namespace }),
      ...(isPrivate ? { fieldSelector: `metadata.name=${reference.name}` } : {}),
    });
    const stop = new AbortController();
    if (this.#isClosed) stop.abort();
    const users = new Map<string, Set<string>>();
    const watch: Watch = { informer, stop, users, isSynced: false, ended: informer.run(stop.signal) };
    void informer.synced.then(() => (watch.isSynced = true));
    informer.subscribe(({ object }) => {
      for (const user of users.get(nameOf(object)) ?? []) this.#deps.changed(user);
    });
    this.#watches.set(id, watch);
    return { id, watch };
  }

  #exchange(user: string, places: ReadonlyMap<string, ReadonlySet<string>>): void {
    const before = this.#held.get(user);
    if (places.size === 0) this.#held.delete(user);
    else this.#held.set(user, places);
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
