import type { Resource } from '#kube/resource.ts';
import {
  nameOf,
  namespaceOf,
  withoutManagedFields,
  type KubeObject,
  type WithMetadata,
} from '#kube/object.ts';
import type { Decoder } from './decoder.ts';
import { keyOf, type Delta } from './delta.ts';
import { followResource, type FollowDeps, type Sink } from './follow.ts';
import { ObjectCache, type Indexes } from './object-cache.ts';
import { aboutError, reportNothing } from './report.ts';

export type InformerDeps<Decoded extends WithMetadata = KubeObject> = FollowDeps & {
  readonly indexes?: Indexes<Decoded> | undefined;
  /** Managed fields are often more than half of an object, and few controllers read them. */
  readonly dropManagedFields?: boolean | undefined;
  /** Whether an object is kept; all are unless given. One that changes so that it is not kept counts as deleted. */
  readonly keeps?: ((object: KubeObject) => boolean) | undefined;
  /** Decodes each object once, as it is received; objects are kept as they are unless given. */
  readonly decode?: Decoder<Decoded> | undefined;
};

/** The objects of a resource, or a part of them: listed once and then watched. */
export type Informer<Decoded extends WithMetadata = KubeObject> = {
  readonly resource: Resource;
  /** Follows the server until the signal aborts. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the subscribers have received the first whole list. */
  readonly synced: Promise<void>;
  /** Cluster-scoped objects have the namespace ''. */
  get(namespace: string, name: string): Decoded | undefined;
  list(namespace?: string): readonly Decoded[];
  byIndex(index: string, value: string): readonly Decoded[];
  /** Adds indexes to those it was made with. An index that exists under a name is kept. */
  addIndexes(indexes: Indexes<Decoded>): void;
  /**
   * Calls the listener for each object that is there, as added, in the order of keys, and then for every change. It
   * is called after the cache has changed and before anything else happens, so it must only note what to do.
   */
  subscribe(listener: (delta: Delta<Decoded>) => void): () => void;
  /** The resourceVersion up to which everything in a namespace was received and told; empty before the first list. */
  position(namespace: string): string;
  /** Calls the listener after each whole list, when its changes were told. */
  onList(listener: () => void): () => void;
};

type DecodingDeps<Decoded extends WithMetadata> = InformerDeps<Decoded> & {
  readonly decode: Decoder<Decoded>;
};

export function createInformer<Decoded extends WithMetadata>(deps: DecodingDeps<Decoded>): Informer<Decoded>;
export function createInformer(deps: InformerDeps): Informer;
export function createInformer<Decoded extends WithMetadata>(
  deps: InformerDeps | DecodingDeps<Decoded>,
): Informer | Informer<Decoded> {
  return isDecoding(deps)
    ? informerWith(deps, (object) => deps.decode.of(object))
    : informerWith(deps, deps.dropManagedFields === true ? withoutManagedFields : (object) => object);
}

const isDecoding = <Decoded extends WithMetadata>(
  deps: InformerDeps | DecodingDeps<Decoded>,
): deps is DecodingDeps<Decoded> => deps.decode !== undefined;

function informerWith<Decoded extends WithMetadata>(
  deps: Omit<InformerDeps<Decoded>, 'decode'>,
  decode: (object: KubeObject) => Decoded,
): Informer<Decoded> {
  const { resource, keeps = () => true } = deps;
  const cache = new ObjectCache(deps.indexes ?? {});
  const synced = Promise.withResolvers<void>();
  let listeners: readonly Listener<Decoded>[] = [];
  const listListeners = new Set<() => void>();
  let position = '';
  const call = callerOf<Decoded>(deps);
  const publish = (deltas: Iterable<Delta<Decoded>>): void => {
    for (const delta of deltas) for (const listener of listeners) call(listener, delta);
  };
  const sink: Sink<Decoded> = {
    keep: (object) => cache.same(object) ?? (keeps(object) ? decode(object) : undefined),
    replace(objects, isRestored) {
      publish(isRestored ? cache.restore(objects) : cache.replace(objects));
      synced.resolve();
    },
    put(object) {
      if (keeps(object)) publish(cache.put(decode(object)));
      else if (cache.get(namespaceOf(object), nameOf(object)) !== undefined)
        publish(cache.remove(decode(object)));
    },
    remove: (object) => publish(cache.remove(decode(object))),
    reached: (resourceVersion) => void (position = resourceVersion),
    listed: () => listListeners.forEach((listener) => listener()),
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
      for (const object of cache.list().toSorted(byKey)) call(listener, { type: 'added', object });
      listeners = [...listeners, listener];
      return () => void (listeners = listeners.filter((each) => each !== listener));
    },
    position: () => position,
    onList(listener) {
      listListeners.add(listener);
      return () => void listListeners.delete(listener);
    },
  };
}

type Listener<Decoded extends WithMetadata> = (delta: Delta<Decoded>) => void;

/** Calls a listener; one that throws is reported, and the others are called all the same. */
const callerOf =
  <Decoded extends WithMetadata>({
    resource,
    report = reportNothing,
  }: Pick<FollowDeps, 'resource' | 'report'>) =>
  (listener: Listener<Decoded>, delta: Delta<Decoded>): void => {
    try {
      listener(delta);
    } catch (error) {
      const about = { resource: resource.plural, key: keyOf(delta.object), ...aboutError(error) };
      report('a listener failed', about, 'error');
    }
  };

const byKey = (left: WithMetadata, right: WithMetadata): number => (keyOf(left) < keyOf(right) ? -1 : 1);
