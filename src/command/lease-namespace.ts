import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { ExitError } from './exit.ts';

const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

/** Creates the namespace of the Lease if it is missing. Without the right to read it, writing the Lease reports the error. */
export async function ensureLeaseNamespace(
  client: Pick<KubeClient, 'get' | 'create'>,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await client.get(namespaces, { name }, signal);
  if (found.type !== 'not-found') return;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const created = await client.create(namespaces, object, signal);
  if (created.type === 'ok' || created.type === 'exists') return;
  throw new ExitError(
    1,
    `the namespace ${name} for the Lease does not exist and cannot be made: ${created.message}. Create it, name another with --lease-namespace, or use --no-leader-election`,
  );
}
