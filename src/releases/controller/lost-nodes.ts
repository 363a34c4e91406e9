import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { KubeObject } from '#kube/object.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { nodes } from '#loop/owned/resources.ts';
import { isLostNode } from '#releases/decide/game-stateful-set/lost-node.ts';
import { sideBySide } from './side-by-side.ts';

export type PodsOnLostNodes =
  | { readonly type: 'read'; readonly pods: readonly KubeObject[] }
  | { readonly type: 'refused'; readonly message: string };

/**
 * Those of the pods whose nodes are lost, as the API server says. A late informer does not show a node that has just joined,
 * nor that one is back, and a pod that is deleted by force there would go on beside the next one of its name.
 */
export async function onLostNodes(
  client: Pick<KubeClient, 'get'>,
  pods: readonly KubeObject[],
  signal: AbortSignal,
): Promise<PodsOnLostNodes> {
  const groups = [...Map.groupBy(pods, (pod) => factsOf(pod).node)];
  const read = await sideBySide(groups, async ([name, group]) => ({
    name,
    group,
    outcome: await client.get(nodes, { namespace: '', name }, signal),
  }));
  const lost: KubeObject[] = [];
  for (const { name, group, outcome } of read) {
    if (outcome.type !== 'ok' && outcome.type !== 'not-found')
      return { type: 'refused', message: `node ${name} cannot be read: ${outcome.message}` };
    if (isLostNode(nodeIn(outcome))) lost.push(...group);
  }
  return { type: 'read', pods: lost };
}

const nodeIn = (outcome: Outcome): KubeObject | undefined =>
  outcome.type === 'ok' ? outcome.object : undefined;
