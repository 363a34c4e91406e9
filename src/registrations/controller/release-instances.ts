import { decideRelease } from '#registrations/decide/decide-registration.ts';
import type { Registration } from '#registrations/model/registration.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { keyOf } from '#loop/delta.ts';
import { isStale, Refused } from '#loop/owned/write.ts';
import { reasonOf } from '#loop/report.ts';
import { objectKeyOf, type KubeObject } from '#kube/object.ts';
import { hasFinalizer, removeFinalizer } from './instance-finalizer.ts';
import { crdSnapshot, type RegistrationReader } from './registration-snapshot.ts';
import { instanceResource } from './resources.ts';

/** Instances that are written at the same time. */
const parallel = 16;
const maxNamed = 3;

/**
 * Removes the finalizer from all instances: no controller is left that would. Continues when one fails; returns which
 * instances failed and why, and undefined when none did.
 */
export async function releaseInstances(
  deps: RegistrationReader & { readonly client: Pick<KubeClient, 'list' | 'get' | 'patch'> },
  registration: Pick<Registration, 'crd' | 'uid'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const decision = decideRelease({ registration, ...crdSnapshot(deps, registration.crd) });
  switch (decision.type) {
    case 'none':
      return undefined;
    case 'blocked':
      return decision.message;
    case 'instances':
      return releaseAll(deps.client, decision.kind, signal);
  }
}

async function releaseAll(
  client: Pick<KubeClient, 'list' | 'get' | 'patch'>,
  kind: InstanceKind,
  signal: AbortSignal,
): Promise<string | undefined> {
  const listed = await client.list(instanceResource(kind), {}, signal);
  if (listed.type === 'not-found') return undefined;
  if (listed.type !== 'ok') return `${kind.plural} cannot be listed: ${listed.message}`;
  const held = listed.items.filter(hasFinalizer);
  const tryOne = async (instance: KubeObject): Promise<readonly string[]> => {
    try {
      await release(client, kind, instance, signal);
      return [];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return [`${keyOf(instance)}: ${reasonOf(error)}`];
    }
  };
  const problems: string[] = [];
  for (let at = 0; at < held.length; at += parallel)
    problems.push(...(await Promise.all(held.slice(at, at + parallel).map(tryOne))).flat());
  if (problems.length === 0) return undefined;
  const more = problems.length > maxNamed ? ` and ${problems.length - maxNamed} more` : '';
  return `the finalizer cannot be removed from ${problems.toSorted().slice(0, maxNamed).join('; ')}${more}`;
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
      const fresh = await client.get(resource, objectKeyOf(instance), signal);
      if (fresh.type === 'not-found') return;
      if (fresh.type !== 'ok') throw new Refused(fresh);
      if (!hasFinalizer(fresh.object)) return;
      current = fresh.object;
    }
  }
}
