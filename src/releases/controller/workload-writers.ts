import { listAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { objectKeyOf, nameOf, resourceVersionOf, withMeta, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { needsWriters } from '#releases/decide/acts/needs-writers.ts';

/**
 * The workload with its managed fields, where the decision records who wrote something. Informers drop them. Undefined:
 * the workload has changed since, and the event of that change starts another reconcile.
 */
export async function withWriters(
  { client, resource }: { readonly client: Pick<KubeClient, 'get'>; readonly resource: Resource },
  workload: KubeObject,
  updateRevision: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  if (!needsWriters(workload, nameOf(updateRevision))) return workload;
  const fresh = await client.get(resource, objectKeyOf(workload), signal);
  // The writers are a part of the record only: without them the decision is the same.
  if (fresh.type !== 'ok') return fresh.type === 'not-found' ? undefined : workload;
  if (resourceVersionOf(fresh.object) !== resourceVersionOf(workload)) return undefined;
  return withMeta(workload, { managedFields: listAt(fresh.object, 'metadata', 'managedFields') });
}
