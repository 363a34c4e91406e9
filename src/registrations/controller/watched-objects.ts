import type { KubeClient } from '#edge/kube/client.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import type { ObjectReference } from '#registrations/model/registration.ts';
import type { LoopDeps } from '#loop/loop-deps.ts';

export type ReferenceWatchDeps = Pick<LoopDeps, 'clock' | 'random' | 'report'> & {
  readonly client: Pick<KubeClient, 'get' | 'pages' | 'list' | 'watch' | 'resourceOf'>;
  /** Called when an object that this user refers to was added, changed or deleted. */
  readonly changed: (user: string) => void;
};

/** One watch, of a namespace or of a single object. */
export type WatchedObjects = {
  readonly informer: Informer;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  isSynced: boolean;
  /** The users that refer to an object, by its name. */
  readonly users: Map<string, Set<string>>;
};

type WatchScope = { readonly id: string; readonly namespace: string; readonly name: string | undefined };

/** Secrets and ConfigMaps are watched one by one, so that no others are cached. */
export function watchScope(resource: Resource, reference: ObjectReference): WatchScope {
  const { group, version, plural, namespaced } = resource;
  const namespace = namespaced ? reference.namespace : '';
  const isPrivate = group === '' && (plural === 'secrets' || plural === 'configmaps');
  const name = isPrivate ? reference.name : undefined;
  return { id: [group, version, plural, namespace, name ?? ''].join('/'), namespace, name };
}

export function watchObjects(
  { client, clock, random, report, changed }: ReferenceWatchDeps,
  resource: Resource,
  { namespace, name }: WatchScope,
  stop: AbortController,
): WatchedObjects {
  const informer = createInformer({
    client,
    clock,
    random,
    report,
    resource,
    dropManagedFields: true,
    ...(namespace === '' ? {} : { namespace }),
    ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
  });
  const users = new Map<string, Set<string>>();
  const watch: WatchedObjects = { informer, stop, users, isSynced: false, ended: informer.run(stop.signal) };
  void informer.synced.then(() => (watch.isSynced = true));
  informer.subscribe(({ object }) => {
    for (const user of users.get(nameOf(object)) ?? []) changed(user);
  });
  return watch;
}

/** The server refuses to return a referenced object. */
export class Unreadable extends Error {}

/** The object from the informer, or from the server until the informer is synced. */
export async function readWatched(
  client: Pick<KubeClient, 'get'>,
  wanted: {
    readonly watch: WatchedObjects;
    readonly resource: Resource;
    readonly reference: ObjectReference;
  },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { watch, resource, reference } = wanted;
  const { namespace, name } = reference;
  if (watch.isSynced) return watch.informer.get(resource.namespaced ? namespace : '', name);
  const outcome = await client.get(resource, { namespace, name }, signal);
  if (outcome.type === 'ok') return outcome.object;
  if (outcome.type === 'not-found') return undefined;
  throw new Unreadable(`${resource.plural} ${namespace}/${name} cannot be read: ${outcome.message}`);
}
