import { listAt, textAt } from '#base/json.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';

/** The first claim that a pod mounts and that does not exist; a pod waits for it. */
export function missingClaim(
  pod: KubeObject,
  find: (namespace: string, name: string) => KubeObject | undefined,
): string | undefined {
  return listAt(pod, 'spec', 'volumes')
    .map((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName'))
    .find((name) => name !== undefined && find(namespaceOf(pod), name) === undefined);
}

/** In the words of a real scheduler. */
export const waitsForClaim = (nodes: number, claim: string): string =>
  `0/${nodes} nodes are available: persistentvolumeclaim "${claim}" not found.`;
