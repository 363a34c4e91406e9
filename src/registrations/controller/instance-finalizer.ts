import { listAt } from '#base/json.ts';
import { finalizer } from '#registrations/model/registration.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { Refused } from '#loop/owned/write.ts';
import { objectKeyOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';

export const hasFinalizer = (object: KubeObject): boolean =>
  listAt(object, 'metadata', 'finalizers').includes(finalizer);

/** Both send the resource version. A conflict throws; undefined means that the object is gone. */
export const addFinalizer = (
  client: Pick<KubeClient, 'patch'>,
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> =>
  write(client, resource, { object, finalizers: [...finalizersOf(object), finalizer] }, signal);

export const removeFinalizer = (
  client: Pick<KubeClient, 'patch'>,
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> => {
  const finalizers = finalizersOf(object).filter((each) => each !== finalizer);
  return write(client, resource, { object, finalizers }, signal);
};

const finalizersOf = (object: KubeObject): readonly string[] =>
  listAt(object, 'metadata', 'finalizers').filter((each) => typeof each === 'string');

async function write(
  client: Pick<KubeClient, 'patch'>,
  resource: Resource,
  { object, finalizers }: { readonly object: KubeObject; readonly finalizers: readonly string[] },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const key = objectKeyOf(object);
  const body = { metadata: { resourceVersion: resourceVersionOf(object), finalizers } };
  const outcome = await client.patch(resource, key, { type: 'merge', body }, signal);
  if (outcome.type === 'ok') return outcome.object;
  if (outcome.type === 'not-found') return undefined;
  throw new Refused(outcome);
}
