import { listAt, textAt } from '#base/json.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';

export const claimFinalizer = 'kubernetes.io/pvc-protection';
export const volumeFinalizer = 'kubernetes.io/pv-protection';

const isOver = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '');

/** A claim is in use as long as a pod that has not ended and has a node mounts it. */
export function isClaimUsed(claim: KubeObject, podsOfNamespace: readonly KubeObject[]): boolean {
  const name = nameOf(claim);
  return podsOfNamespace.some(
    (pod) =>
      !isOver(pod) &&
      (textAt(pod, 'spec', 'nodeName') ?? '') !== '' &&
      listAt(pod, 'spec', 'volumes').some(
        (volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') === name,
      ),
  );
}

/** A volume is in use as long as a claim is bound to it. */
export const isVolumeUsed = (volume: KubeObject): boolean => textAt(volume, 'status', 'phase') === 'Bound';

/** The merge patch that removes the finalizer; undefined while it must stay. */
export function release(object: KubeObject, finalizer: string, isUsed: boolean): KubeObject | undefined {
  const finalizers = listAt(object, 'metadata', 'finalizers');
  if (!isDeleting(object) || isUsed || !finalizers.includes(finalizer)) return undefined;
  const resourceVersion = textAt(object, 'metadata', 'resourceVersion') ?? '';
  return { metadata: { resourceVersion, finalizers: finalizers.filter((each) => each !== finalizer) } };
}
