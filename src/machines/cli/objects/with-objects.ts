import { clusterFlagsIn } from '#command/cluster-options.ts';
import type { Given } from '#command/given.ts';
import { ExitError } from '#command/exit.ts';
import { mustServe } from '#command/missing-kinds.ts';
import { explainedOutage, mustBe, openCluster, type OpenCluster } from '#command/open-cluster.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';
import type { KubeObject } from '#kube/object.ts';

/** The work of a command. It passes to `begun` what to print when the command is interrupted. */
export type ObjectsWork = (
  cluster: OpenCluster,
  signal: AbortSignal,
  begun: (what: string) => void,
) => Promise<number>;

const agent = 'boathook-cluster';

export async function withObjects(given: Given, work: ObjectsWork): Promise<number> {
  const cluster = openCluster(clusterFlagsIn(given), agent);
  const stop = new AbortController();
  let stays: string | undefined;
  const interrupt = (): void =>
    stop.abort(new ExitError(130, stays === undefined ? 'interrupted' : `interrupted. ${stays}`));
  process.once('SIGINT', interrupt);
  // Keeps the process alive: a watch alone does not.
  const awake = setInterval(() => undefined, 60_000);
  try {
    return await work(cluster, stop.signal, (what) => (stays = what));
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw explainedOutage(error, cluster.server);
  } finally {
    clearInterval(awake);
    process.off('SIGINT', interrupt);
    await cluster.close();
  }
}

type Found = { readonly object: KubeObject; readonly resource: typeof clusters };

/** A Cluster of this name, else a Machine. */
export async function findObject({ client }: OpenCluster, name: string, signal: AbortSignal): Promise<Found> {
  const found = await client.get(clusters, { name }, signal);
  if (found.type === 'ok') return { object: found.object, resource: clusters };
  if (found.type !== 'not-found') mustBe(found, `Cluster ${name}`);
  const machine = await client.get(machines, { name }, signal);
  if (machine.type === 'not-found') await mustServe(client, [clusters, machines], signal);
  return { object: mustBe(machine, `Cluster or Machine ${name}`), resource: machines };
}
