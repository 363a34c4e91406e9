import { crdChecks } from '#schema/crd/crd-checks.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Call, ServerContext } from '#embedded/server/request/call.ts';
import { crdStorage } from '#embedded/server/registry/resource.ts';

/**
 * Validation of large definitions is slow. It is done in pieces before the commit, with other requests
 * between them; the commit then finds the results in the cache of the schema.
 */
export async function checkAhead(
  { tasks }: ServerContext,
  { resource }: Call,
  object: KubeObject,
): Promise<void> {
  if (resource.storage !== crdStorage) return;
  const pause = (): Promise<void> => new Promise((resolve) => tasks.soon(resolve));
  for (const check of crdChecks(object)) {
    await pause();
    check();
  }
  await pause();
}
