import { textAt } from '#base/json.ts';
import type { AskLog } from '#command/logs/log-client.ts';
import type { KubeObject } from '#kube/object.ts';
import { listOutputs } from '#machines/cli/outputs/output-client.ts';
import type { ClusterPage } from '#web/wire/cluster-page.ts';

/** Outputs that are shown. */
const most = 400;

/** The outputs of the operations under way of a Cluster and its Machines, else those of the last operation. */
export async function readOutputs(
  ask: AskLog,
  cluster: string,
  objects: readonly KubeObject[],
  signal: AbortSignal,
): Promise<ClusterPage['outputs']> {
  const operations = objects.flatMap((each) => textAt(each, 'status', 'operation', 'id') ?? []);
  const current = await listOutputs(ask, cluster, { operations }, signal);
  const list =
    current.type === 'listed' && current.outputs.length === 0 && operations.length > 0
      ? await listOutputs(ask, cluster, {}, signal)
      : current;
  if (list.type !== 'listed') return { type: 'unavailable', message: list.message };
  return { type: 'listed', rows: list.outputs.slice(-most) };
}
