import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { keyOf } from '#loop/delta.ts';
import { isStale, Refused } from '#loop/owned/write.ts';
import { reasonOf } from '#loop/report.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { hasFinalizer, removeFinalizer } from './instance-finalizer.ts';
import { instanceResource } from './resources.ts';

/** So many at a time. */
const width = 16;
/** More than these nobody reads. */
const maxNamed = 3;

/**
 * Takes our finalizer off all instances of a kind: nobody is left who would (D-09). One that cannot be let go keeps
 * no other; the answer says which and why, and is undefined when all are free.
 */
export async function releaseInstances(
  client: Pick<KubeClient, 'list' | 'get' | 'patch'>,
  kind: InstanceKind,
  signal: AbortSignal,
): Promise<string | undefined> {
  const listed = await client.list(instanceResource(kind), {}, signal);
  if (listed.type === 'not-found') return undefined;
  if (listed.type !== 'ok') return `${kind.plural} cannot be listed: ${listed.message}`;
  const held = listed.items.filter(hasFinalizer);
  const problems: string[] = [];
  const tryOne = async (instance: KubeObject): Promise<void> => {
    try {
      await release(client, kind, instance, signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problems.push(`${keyOf(instance)}: ${reasonOf(error)}`);
    }
  };
  for (let at = 0; at < held.length; at += width) await Promise.all(held.slice(at, at + width).map(tryOne));
  if (problems.length === 0) return undefined;
  const more = problems.length > maxNamed ? ` and ${problems.length - maxNamed} more` : '';
  return `our finalizer cannot be taken off ${problems.toSorted().slice(0, maxNamed).join('; ')}${more}`;
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
