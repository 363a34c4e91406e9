import { listAt, objectAt, textAt } from '#base/json.ts';
import { factsOf, isFinished } from '#kube/workload/pod-facts.ts';
import { objectKey } from '#loop/delta.ts';
import { namespaceOf, nameOf, type KubeObject } from '#kube/object.ts';

/** Finds the pods that use a claim. */
export const claimIndex = {
  claim: (pod: KubeObject): readonly string[] => claimKeysOf(pod),
};

/** The claims that a pod uses, those made for its own ephemeral volumes included. */
export function claimKeysOf(pod: KubeObject): readonly string[] {
  const namespace = namespaceOf(pod);
  return listAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const name = textAt(volume, 'persistentVolumeClaim', 'claimName');
    if (name !== undefined) return [objectKey(namespace, name)];
    const isEphemeral = objectAt(volume, 'ephemeral') !== undefined;
    return isEphemeral ? [objectKey(namespace, `${nameOf(pod)}-${textAt(volume, 'name') ?? ''}`)] : [];
  });
}

/** Finished pods do not use their claims. */
export const isUser = (pod: KubeObject): boolean => !isFinished(factsOf(pod));
