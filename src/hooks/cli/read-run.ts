import { hookRuns } from '#hooks/kinds/resources.ts';
import type { KubeObject } from '#kube/object.ts';
import { mustServe } from '#command/missing-kinds.ts';
import { mustBe } from '#command/open-cluster.ts';
import type { InCluster } from '#command/in-cluster.ts';

/** Reads a HookRun of the namespace. Ends the command if there is none, or if its CRD is missing. */
export async function readRun({ client, namespace, signal }: InCluster, name: string): Promise<KubeObject> {
  const found = await client.get(hookRuns, { namespace, name }, signal());
  if (found.type === 'not-found') await mustServe(client, [hookRuns], signal());
  return mustBe(found, `HookRun ${namespace}/${name}`);
}
