import { numberAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import type { Delta } from '#loop/delta.ts';
import type { Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import type { Source } from '#loop/controller.ts';
import { keyOf, objectKey } from '#loop/delta.ts';
import { adoptPatch, claim, releasePatch, type Claim } from '#kube/workload/claim.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import {
  isDeleting,
  isSameVersion,
  nameOf,
  namespaceOf,
  objectKeyOf,
  uidOf,
  type KubeObject,
  type WithMetadata,
} from '#kube/object.ts';
import { selecting, selectorIndexes, selectorOf } from './selector-index.ts';
import { Refused } from './write.ts';

/** Indexes to find owned objects: by the uid of their controller, and orphans by their namespace. */
export const ownerIndexes = {
  controller: (object: WithMetadata): readonly string[] => {
    const uid = controllerOf(object)?.uid;
    return uid === undefined ? [] : [uid];
  },
  strays: (object: KubeObject): readonly string[] =>
    controllerOf(object) === undefined ? [namespaceOf(object)] : [],
};

/** Everything that a controller owns or may adopt. */
export function around(informer: Informer, owner: KubeObject): readonly KubeObject[] {
  const owned = informer.byIndex('controller', uidOf(owner));
  const strays = informer.byIndex('strays', namespaceOf(owner));
  return strays.length === 0 ? owned : [...owned, ...strays];
}

/** The keys that a change of an owned object concerns: that of its controller, or those of all that may adopt an orphan. */
export function ownedSource(informer: Informer, kind: string, owners: Informer, seen?: Expectations): Source {
  owners.addIndexes(selectorIndexes);
  return {
    informer,
    keysOf(delta) {
      const keys = new Set<string>();
      const key = ownerKey(delta.object, kind);
      if (key === undefined) for (const each of takersOf(delta, owners)) keys.add(each);
      else keys.add(key);
      const before = delta.type === 'updated' ? ownerKey(delta.old, kind) : undefined;
      if (before !== undefined) keys.add(before);
      if (seen !== undefined) for (const each of note(seen, delta, { key, before })) keys.add(each);
      return keys;
    },
    ...(seen !== undefined && { follow: (add: (key: string) => void) => seen.follow(informer, add) }),
  };
}

type OwnerKeys = { readonly key: string | undefined; readonly before: string | undefined };

/** Notes what was expected. Returns the keys of those that expected a deletion of an object that they no longer own. */
function note(seen: Expectations, { type, object }: Delta, { key, before }: OwnerKeys): readonly string[] {
  const isGone = type === 'deleted' || isDeleting(object);
  // Whoever no longer owns it waits for nothing more of it.
  if (before !== undefined && before !== key) seen.deletionSeen(before, uidOf(object));
  if (key === undefined) return isGone ? seen.strangerGone(uidOf(object)) : [];
  if (type === 'added') seen.creationSeen(key, nameOf(object));
  if (isGone) seen.deletionSeen(key, uidOf(object));
  return [];
}

function ownerKey(object: KubeObject, kind: string): string | undefined {
  const controller = controllerOf(object);
  return controller?.kind === kind ? objectKey(namespaceOf(object), controller.name) : undefined;
}

function takersOf({ type, object }: Delta, owners: Informer): readonly string[] {
  if (type === 'deleted' || controllerOf(object) !== undefined) return [];
  return selecting(owners, object).map(keyOf);
}

/** The key of every change of an informer's own objects. */
export const ownSource = (informer: Informer): Source => ({
  informer,
  keysOf: (delta) => [keyOf(delta.object)],
});

/** The same. A spec that was changed goes first, also when no controller ran at that time: a resync can wait. */
export const specSource = (informer: Informer): Source => ({
  ...ownSource(informer),
  priorityOf: ({ type, object }) => (type !== 'deleted' && isUnobserved(object) ? 1 : 0),
});

const isUnobserved = (object: KubeObject): boolean =>
  numberAt(object, 'metadata', 'generation') !== numberAt(object, 'status', 'observedGeneration');

/**
 * Adopts orphans that match the selector, and releases owned objects that no longer match. Throws when one has changed
 * meanwhile: whose it is then is not known, and it would be missing or too many in the number of objects.
 */
export async function claimOwned(
  client: Pick<KubeClient, 'patch' | 'get'>,
  resources: { readonly owner: Resource; readonly owned: Resource },
  { owner, objects }: { readonly owner: KubeObject; readonly objects: Iterable<KubeObject> },
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const claimed = claim(owner, selectorOf(owner), objects);
  if (claimed.adopt.length === 0 && claimed.release.length === 0) return claimed.owned;
  const adopted = await adopt(client, resources, { owner, claimed }, signal);
  for (const object of claimed.release) {
    await patchMeta(client, resources.owned, { object, body: releasePatch(owner, object) }, signal);
  }
  return [...claimed.owned, ...adopted];
}

type Adoption = { readonly owner: KubeObject; readonly claimed: Claim };

/** A deleted owner adopts nothing: the server is read, not the cache. */
async function adopt(
  client: Pick<KubeClient, 'patch' | 'get'>,
  resources: { readonly owner: Resource; readonly owned: Resource },
  { owner, claimed }: Adoption,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  if (claimed.adopt.length === 0) return [];
  const live = await client.get(resources.owner, objectKeyOf(owner), signal);
  if (live.type !== 'ok' || uidOf(live.object) !== uidOf(owner) || isDeleting(live.object)) return [];
  const adopted: KubeObject[] = [];
  for (const object of claimed.adopt) {
    const taken = await patchMeta(
      client,
      resources.owned,
      { object, body: adoptPatch(owner, object) },
      signal,
    );
    if (taken !== undefined) adopted.push(taken);
  }
  return adopted;
}

async function patchMeta(
  client: Pick<KubeClient, 'patch' | 'get'>,
  resource: Resource,
  { object, body }: { readonly object: KubeObject; readonly body: KubeObject },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const key = objectKeyOf(object);
  const outcome = await client.patch(resource, key, { type: 'strategic', body }, signal);
  if (outcome.type === 'ok') return outcome.object;
  // Deleted, or adopted by another controller.
  if (outcome.type === 'not-found' || outcome.type === 'invalid') return undefined;
  if (outcome.type === 'conflict') {
    const found = await client.get(resource, key, signal);
    // An admission webhook has refused it: the object is as it was seen.
    if (found.type === 'ok' && isSameVersion(found.object, object)) return undefined;
  }
  throw new Refused(outcome);
}
