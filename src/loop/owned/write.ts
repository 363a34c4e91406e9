import { equalJson, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome, Refusal } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import { objectKeyOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** A refusal that a controller cannot handle: it retries later. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** A conflict: the cache is stale. */
export const isStale = (error: unknown): boolean =>
  error instanceof Refused && error.refusal.type === 'conflict';

/** The refusal of a creation in a namespace that is being deleted. */
export const isTerminating = ({ code, status }: Refusal): boolean =>
  code === 403 &&
  listAt(status, 'details', 'causes').some((cause) => textAt(cause, 'reason') === 'NamespaceTerminating');

type Updater = Pick<KubeClient, 'update' | 'updateStatus'>;

/** Writes a status if it differs. False when the object has changed or was deleted: an event will follow. */
export async function writeStatus(
  client: Updater,
  resource: Resource,
  { object, status }: { readonly object: KubeObject; readonly status: JsonObject },
  signal: AbortSignal,
): Promise<boolean> {
  return (await replaceStatus(client, resource, { object, status }, signal)) !== undefined;
}

/** The same. Returns the written object; undefined when it has changed or was deleted. */
export async function replaceStatus(
  client: Updater,
  resource: Resource,
  { object, status }: { readonly object: KubeObject; readonly status: JsonObject },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  if (equalJson(objectAt(object, 'status') ?? {}, status)) return object;
  const outcome = await client.updateStatus(resource, { ...object, status }, signal);
  return isWritten(outcome) && outcome.type === 'ok' ? outcome.object : undefined;
}

/** Writes an object. False when it has changed or was deleted: an event will follow. */
export async function writeObject(
  client: Updater,
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<boolean> {
  return isWritten(await client.update(resource, object, signal));
}

function isWritten(outcome: Outcome): boolean {
  if (outcome.type === 'ok') return true;
  if (outcome.type === 'conflict' || outcome.type === 'not-found') return false;
  throw new Refused(outcome);
}

type Remover = Pick<KubeClient, 'remove'>;
type Removed = Promise<'removed' | 'gone'>;

/** Deletes the object with this uid. `gone`: it does not exist any more; that is no failure. */
export const removeObject = (
  client: Remover,
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Removed => remove(client, resource, { object }, signal);

/** The same, unless the object has changed since: then it is left alone, and `gone` too. */
export const removeAsSeen = (
  client: Remover,
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Removed => remove(client, resource, { object, resourceVersion: resourceVersionOf(object) }, signal);

/** The same with a grace period of 0. */
export const removeAtOnce = (
  client: Remover,
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Removed =>
  remove(
    client,
    resource,
    { object, resourceVersion: resourceVersionOf(object), gracePeriodSeconds: 0 },
    signal,
  );

type Removal = {
  readonly object: KubeObject;
  readonly gracePeriodSeconds?: number;
  readonly resourceVersion?: string;
};

async function remove(
  client: Remover,
  resource: Resource,
  { object, resourceVersion, ...more }: Removal,
  signal: AbortSignal,
): Removed {
  const key = objectKeyOf(object);
  const options = {
    propagationPolicy: 'Background',
    preconditions: { uid: uidOf(object), ...(resourceVersion !== undefined && { resourceVersion }) },
    ...more,
  } as const;
  const outcome = await client.remove(resource, key, signal, options);
  if (outcome.type === 'ok') return 'removed';
  if (outcome.type === 'not-found' || outcome.type === 'conflict') return 'gone';
  throw new Refused(outcome);
}
