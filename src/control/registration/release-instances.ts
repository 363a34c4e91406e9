import type { InstanceKind } from '#decide/registration/inspect-crd.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { isStale, Refused } from '#loop/owned/write.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { hasFinalizer, removeFinalizer } from './instance-finalizer.ts';
import { instanceResource } from './resources.ts';

/** So many at a time. */
const width = 16;

/** Takes our finalizer off all instances of a kind: nobody is left who would (D-09). */
export async function releaseInstances(
  client: Pick<KubeClient, 'list' | 'get' | 'patch'>,
  kind: InstanceKind,
  signal: AbortSignal,
): Promise<void> {
  const listed = await client.list(instanceResource(kind), {}, signal);
  if (listed.type === 'not-found') return;
  if (listed.type !== 'ok') throw new Refused(listed);
  const held = listed.items.filter(hasFinalizer);
  for (let at = 0; at < held.length; at += width)
    await Promise.all(held.slice(at, at + width).map((instance) => release(client, kind, instance, signal)));
}

async function release(
  client: Pick<KubeClient, 'get' | 'patch'>,
  kind: InstanceKind,
  instance: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const resource = instanceResource(kind);
  let current = instance;
  for (;;) {
    try {
      await removeFinalizer(client, resource, current, signal);
      return;
    } catch (error) {
      if (!isStale(error)) throw error;
      const key = { namespace: namespaceOf(instance), name: nameOf(instance) };
      const fresh = await client.get(resource, key, signal);
      if (fresh.type === 'not-found') return;
      if (fresh.type !== 'ok') throw new Refused(fresh);
      if (!hasFinalizer(fresh.object)) return;
      current = fresh.object;
    }
  }
}
