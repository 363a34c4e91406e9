import { seconds } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { untilInterrupted } from './interrupted.ts';
import { explainedOutage, openCluster, type ClusterFlags } from './open-cluster.ts';

export type NamespacedFlags = ClusterFlags & { readonly namespace?: string | undefined };

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
  userAgent: string,
  act: (cluster: InCluster) => Promise<number>,
): Promise<number> {
  const cluster = openCluster(flags, userAgent);
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
