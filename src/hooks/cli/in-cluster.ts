import { seconds } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { explainedOutage, openCluster, type ClusterFlags } from '#command/open-cluster.ts';
import { untilInterrupted } from './interrupted.ts';

export type NamespacedFlags = ClusterFlags & { readonly namespace?: string };

/** A cluster while a command talks to it. */
export type InCluster = {
  readonly client: KubeClient;
  readonly namespace: string;
  /** For one question: over when it takes too long or the command is interrupted. */
  readonly signal: () => AbortSignal;
  /** For as long as the command may take. */
  readonly whole: AbortSignal;
};

const patience = seconds(30);

/** Runs a command in the cluster that the flags name; 130 when it is interrupted. */
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
