import type { KubeClient } from '#edge/kube/client.ts';
import { pods } from '#loop/owned/resources.ts';
import { objectKeyOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { DisruptedPods } from './disrupted-pods.ts';

/** Asks the server for pods whose disruption may have been written: without that they would count for ever. */
export async function confirmDisruptions(
  client: Pick<KubeClient, 'get'>,
  disrupted: DisruptedPods,
  lost: readonly KubeObject[],
  signal: AbortSignal,
): Promise<void> {
  for (const pod of lost) {
    const found = await client.get(pods, objectKeyOf(pod), signal);
    // One that is gone counts until the informer shows that.
    if (found.type === 'ok' && uidOf(found.object) === uidOf(pod)) disrupted.confirm(found.object);
  }
}
