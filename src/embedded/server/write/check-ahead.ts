import { crdChecks } from '#schema/crd/crd-checks.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Call, ServerContext } from '#embedded/server/request/call.ts';
import { crdStorage } from '#embedded/server/registry/resource.ts';

/**
 * Large definitions take a while to validate. The work is done in pieces before the commit, with room for others
 * between them; the commit then finds its answers remembered.
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
