import { flagsOf } from '#command/flags.ts';
import type { Given } from '#command/given.ts';
import { ExitError } from '#command/exit.ts';
import { explainedOutage, mustBe, openCluster, type OpenCluster } from '#command/open-cluster.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { KubeObject } from '#kube/object.ts';

/** What a command does, on an open cluster. `begun` is told what stays when the command is interrupted. */
export type ObjectsWork = (
  cluster: OpenCluster,
  signal: AbortSignal,
  begun: (what: string) => void,
) => Promise<number>;

const agent = 'boathook-cluster';

export async function withObjects(given: Given, work: ObjectsWork): Promise<number> {
  const cluster = openCluster({ kubeconfig: flagsOf(given).text('kubeconfig') }, agent);
  const stop = new AbortController();
  let stays: string | undefined;
  const interrupt = (): void =>
    stop.abort(new ExitError(130, stays === undefined ? 'interrupted' : `interrupted. ${stays}`));
  process.once('SIGINT', interrupt);
  // A watch alone does not keep the process.
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
  demandKinds(found);
  const machine = await client.get(machines, { name }, signal);
  return { object: mustBe(machine, `Cluster or Machine ${name}`), resource: machines };
}

/** A server that does not know the kind says that nothing is found, but names no object. */
export function demandKinds({ type, status }: Refusal): void {
  const details = status['details'];
  const isNamed = typeof details === 'object' && details !== null && 'kind' in details;
  if (type !== 'not-found' || isNamed) return;
  throw new ExitError(
    1,
    'the server does not know Clusters and Machines: install them with boathook crds | kubectl apply -f -',
  );
}
