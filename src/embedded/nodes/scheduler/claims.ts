import { listAt, textAt } from '#base/json.ts';
import { annotationsOf, isDeleting, namespaceOf, type KubeObject } from '#kube/object.ts';

export type ClaimLookup = {
  claim(namespace: string, name: string): KubeObject | undefined;
  storageClass(name: string): KubeObject | undefined;
};

/** Why a pod has to wait for its claims, with the texts of kube-scheduler; undefined when it need not. */
export function claimTrouble(pod: KubeObject, sight: ClaimLookup): string | undefined {
  let isUnbound = false;
  for (const name of claimNames(pod)) {
    const claim = sight.claim(namespaceOf(pod), name);
    if (claim === undefined) return `persistentvolumeclaim ${JSON.stringify(name)} not found`;
    if (textAt(claim, 'status', 'phase') === 'Lost')
      return `persistentvolumeclaim ${JSON.stringify(name)} bound to non-existent persistentvolume ${JSON.stringify(textAt(claim, 'spec', 'volumeName') ?? '')}`;
    if (isDeleting(claim)) return `persistentvolumeclaim ${JSON.stringify(name)} is being deleted`;
    isUnbound ||= !isBound(claim) && !waitsForConsumer(claim, sight);
  }
  return isUnbound ? 'pod has unbound immediate PersistentVolumeClaims' : undefined;
}

function claimNames(pod: KubeObject): readonly string[] {
  return listAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const name = textAt(volume, 'persistentVolumeClaim', 'claimName');
    return name === undefined ? [] : [name];
  });
}

const isBound = (claim: KubeObject): boolean => (textAt(claim, 'spec', 'volumeName') ?? '') !== '';

/** Such a claim is bound only when a pod that mounts it has its node. */
function waitsForConsumer(claim: KubeObject, sight: ClaimLookup): boolean {
  const name =
    textAt(claim, 'spec', 'storageClassName') ??
    annotationsOf(claim)['volume.beta.kubernetes.io/storage-class'] ??
    '';
  return name !== '' && textAt(sight.storageClass(name), 'volumeBindingMode') === 'WaitForFirstConsumer';
}
