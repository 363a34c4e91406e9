import { listAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { nameOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { Refused } from '#loop/owned/write.ts';

type Patcher = Pick<KubeClient, 'patch'>;

export const hasFinalizer = (object: KubeObject, finalizer: string): boolean =>
  listAt(object, 'metadata', 'finalizers').includes(finalizer);

/** Adds or removes the finalizer. Undefined when the object has changed or is gone. */
export async function setFinalizer(
  client: Patcher,
  { resource, object, finalizer }: { resource: Resource; object: KubeObject; finalizer: string },
  isWanted: boolean,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const others = listAt(object, 'metadata', 'finalizers').filter((each) => each !== finalizer);
  const finalizers = isWanted ? [...others, finalizer] : others;
  const body = { metadata: { resourceVersion: resourceVersionOf(object), finalizers } };
  const outcome = await client.patch(resource, { name: nameOf(object) }, { type: 'merge', body }, signal);
  if (outcome.type === 'ok') return outcome.object;
  if (outcome.type === 'conflict' || outcome.type === 'not-found') return undefined;
  throw new Refused(outcome);
}
