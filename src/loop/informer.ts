import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';
import { keyOf, type Delta } from './delta.ts';
import { withoutManagedFields } from '#kube/object.ts';
import { followResource, type FollowDeps, type Sink } from './follow.ts';
import { ObjectCache, type Indexes } from './object-cache.ts';
import { reasonOf, reportNothing } from './report.ts';

export type InformerDeps = FollowDeps & {
  readonly indexes?: Indexes | undefined;
  /** Managed fields are often more than half of an object, and few controllers read them. */
  readonly dropManagedFields?: boolean | undefined;
  /** What of an object is kept, where only a part of it is ever read. */
  readonly lean?: Lean | undefined;
};

/** Thins objects as they come. Two of one name thin alike. */
export type Lean = { readonly name: string; of(object: KubeObject): KubeObject };

/** A resource, or a part of it, as the server has it: listed once and then followed. */
export type Informer = {
  readonly resource: Resource;
  /** Follows the server until the signal aborts. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the first whole list has been told to the subscribers. */
  readonly synced: Promise<void>;
  /** Cluster-wide objects have the namespace ''. */
  get(namespace: string, name: string): KubeObject | undefined;
  list(namespace?: string): readonly KubeObject[];
  byIndex(index: string, value: string): readonly KubeObject[];
  /** Adds indexes to those it was made with. One name is one index, whoever adds it. */
  addIndexes(indexes: Indexes): void;
  /**
   * Tells what is there as added, in the order of keys, and then every change. A listener is called after the
   * cache has changed and before anything else happens: it shall only note what is to be done.
   */
  subscribe(listener: (delta: Delta) => void): () => void;
};

export function createInformer(deps: InformerDeps): Informer {
  const { resource, report = reportNothing } = deps;
  const cache = new ObjectCache(deps.indexes ?? {});
  const lean = leanOf(deps);
  const synced = Promise.withResolvers<void>();
  let listeners: readonly Listener[] = [];
  const tell = (listener: Listener, delta: Delta): void => {
    try {
      listener(delta);
    } catch (error) {
      report('a listener failed', {
        resource: resource.plural,
        key: keyOf(delta.object),
        why: reasonOf(error),
      });
    }
  };
  const tellAll = (deltas: Iterable<Delta>): void => {
    for (const delta of deltas) for (const listener of listeners) tell(listener, delta);
  };
  const sink: Sink = {
    keep: (object) => cache.same(object) ?? lean(object),
    replace(objects, isRestored) {
      tellAll(isRestored ? cache.restore(objects) : cache.replace(objects));
      synced.resolve();
    },
    put: (object) => tellAll(cache.put(lean(object))),
    remove: (object) => tellAll(cache.remove(lean(object))),
  };
  return {
    resource,
    synced: synced.promise,
    run: (signal) => followResource(deps, sink, signal),
    get: (namespace, name) => cache.get(namespace, name),
    list: (namespace) => cache.list(namespace),
    byIndex: (index, value) => cache.byIndex(index, value),
    addIndexes: (indexes) => cache.addIndexes(indexes),
    subscribe(listener) {
      for (const object of cache.list().toSorted(byKey)) tell(listener, { type: 'added', object });
      listeners = [...listeners, listener];
      return () => void (listeners = listeners.filter((each) => each !== listener));
    },
  };
}

type Listener = (delta: Delta) => void;
const asItIs = (object: KubeObject): KubeObject => object;

const leanOf = ({ dropManagedFields, lean }: InformerDeps): ((object: KubeObject) => KubeObject) => {
  if (lean !== undefined) return (object) => lean.of(object);
  return dropManagedFields === true ? withoutManagedFields : asItIs;
};
const byKey = (left: KubeObject, right: KubeObject): number => (keyOf(left) < keyOf(right) ? -1 : 1);
