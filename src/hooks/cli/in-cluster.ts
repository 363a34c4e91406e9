import { seconds } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { explainedOutage, openCluster, type ClusterFlags } from '#command/open-cluster.ts';
import { untilInterrupted } from './interrupted.ts';

export type NamespacedFlags = ClusterFlags & { readonly namespace?: string };

/** The cluster of a command. */
export type InCluster = {
  readonly client: KubeClient;
  readonly namespace: string;
  /** For one request: aborts after a timeout, or when the command is interrupted. */
  readonly signal: () => AbortSignal;
  /** For the whole command: aborts when it is interrupted. */
  readonly whole: AbortSignal;
};

const patience = seconds(30);

/** Runs a command in the cluster of the flags; returns 130 if it is interrupted. */
export async function inCluster(
  flags: NamespacedFlags,
  act: (cluster: InCluster) => Promise<number>,
): Promise<number> {
  const cluster = openCluster(flags, 'boathook-hook');
  const { client, server, namespace } = cluster;
  try {
    return await untilInterrupted((whole) =>
      act({
        client,
        namespace: flags.namespace ?? namespace,
        signal: () => AbortSignal.any([whole, AbortSignal.timeout(patience)]),
        whole,
      }),
    );
  } catch (error) {
    throw explainedOutage(error, server);
  } finally {
    await cluster.close();
  }
}
