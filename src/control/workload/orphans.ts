import { preDeleteFinalizer } from '#decide/workload/words.ts';
import { hasFinalizer } from '#decide/workload/leave.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Informer } from '#loop/informer.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';

type Whose = { readonly kind: string; readonly namespace: string; readonly name: string };

const valueOf = ({ kind, namespace, name }: Whose): string => `${kind} ${namespace}/${name}`;

/** Pods that wait for a hook of their workload, by the workload. */
export const finalizerIndexes = {
  finalizer: (pod: KubeObject): readonly string[] => {
    const owner = hasFinalizer(pod) ? controllerOf(pod) : undefined;
    return owner === undefined
      ? []
      : [valueOf({ kind: owner.kind, namespace: namespaceOf(pod), name: owner.name })];
  },
};

/** Nobody is left to ask for pods whose workload is gone: they do not wait for ever. */
export async function releaseOrphans(
  client: Pick<KubeClient, 'patch'>,
  informer: Informer,
  whose: Whose,
  signal: AbortSignal,
): Promise<void> {
  const body = { metadata: { '$deleteFromPrimitiveList/finalizers': [preDeleteFinalizer] } };
  for (const pod of informer.byIndex('finalizer', valueOf(whose))) {
    const key = { namespace: namespaceOf(pod), name: nameOf(pod) };
    const outcome = await client.patch(pods, key, { type: 'strategic', body }, signal);
    if (outcome.type !== 'ok' && outcome.type !== 'not-found') throw new Refused(outcome);
  }
}
