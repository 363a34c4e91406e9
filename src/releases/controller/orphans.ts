import { preDeleteFinalizer } from '#releases/model/well-known.ts';
import { hasFinalizer } from '#releases/decide/finalizer.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { objectKey, type Delta } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { objectKeyOf, nameOf, namespaceOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';

type Whose = { readonly kind: string; readonly namespace: string; readonly name: string };

const valueOf = ({ kind, namespace, name }: Whose): string => `${kind} ${namespace}/${name}`;

/** Pods without a controller were released, by `--cascade=orphan` or by a change of labels. */
const noKind = '';

/** Pods with the finalizer, by their workload. */
export const finalizerIndexes = {
  finalizer: (pod: KubeObject): readonly string[] => {
    if (!hasFinalizer(pod)) return [];
    const { kind, name } = controllerOf(pod) ?? { kind: noKind, name: formerOwner(pod) };
    return [valueOf({ kind, namespace: namespaceOf(pod), name })];
  },
};

/** The workload that created the pod: the rest of the name is an id or an ordinal. */
const formerOwner = (pod: KubeObject): string => nameOf(pod).slice(0, nameOf(pod).lastIndexOf('-'));

/** The key under which pods with the finalizer and without a controller are reconciled. */
export function strayKeys({ type, object }: Delta): readonly string[] {
  if (type === 'deleted' || !hasFinalizer(object) || controllerOf(object) !== undefined) return [];
  return [objectKey(namespaceOf(object), formerOwner(object))];
}

/** Removes the finalizer of pods whose workload is gone: no controller runs their hooks. */
export async function releaseOrphans(
  client: Pick<KubeClient, 'patch'>,
  informer: Informer,
  whose: Whose,
  signal: AbortSignal,
): Promise<void> {
  for (const pod of informer.byIndex('finalizer', valueOf(whose))) await release(client, pod, signal);
}

/** Removes the finalizer of pods without a controller. A workload that adopts one adds it again. */
export const releaseStrays = (
  client: Pick<KubeClient, 'patch'>,
  informer: Informer,
  { namespace, name }: Omit<Whose, 'kind'>,
  signal: AbortSignal,
): Promise<void> => releaseOrphans(client, informer, { kind: noKind, namespace, name }, signal);

async function release(
  client: Pick<KubeClient, 'patch'>,
  pod: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const key = objectKeyOf(pod);
  const finalizers = { '$deleteFromPrimitiveList/finalizers': [preDeleteFinalizer] };
  // Only this version: a workload may have adopted the pod.
  const body = { metadata: { resourceVersion: resourceVersionOf(pod), ...finalizers } };
  const outcome = await client.patch(pods, key, { type: 'strategic', body }, signal);
  if (outcome.type === 'ok' || outcome.type === 'not-found' || outcome.type === 'conflict') return;
  throw new Refused(outcome);
}
