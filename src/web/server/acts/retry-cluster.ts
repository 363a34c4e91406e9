import { mustBe } from '#command/open-cluster.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { retryNow } from '#machines/cli/objects/commands.ts';
import { clusters } from '#machines/kinds/resources.ts';
import type { ActReply } from '#web/wire/session.ts';
import { failureOf } from './act-failure.ts';

/** Does what `boathook cluster retry` does. */
export async function retryCluster(client: KubeClient, name: string, signal: AbortSignal): Promise<ActReply> {
  try {
    const object = mustBe(await client.get(clusters, { name }, signal), `Cluster ${name}`);
    const message = await retryNow({ client }, { object, resource: clusters }, signal);
    return { result: 'Done', message };
  } catch (error) {
    return failureOf(error);
  }
}
