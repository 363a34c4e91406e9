import { parseJson, printJson } from '#base/json-text.ts';
import { annotationsOf, stringMap, withMeta, type KubeObject } from '#kube/object.ts';

/** The annotation with the replicas of a layout, and when each of them wrote last, as JSON. */
const replicasAnnotation = 'boathook.dev/shard-replicas';

/**
 * The holder of the Lease while its replicas share this number of shards. Replicas of two versions run during an upgrade:
 * a version that assigns objects to shards in another way needs another holder.
 */
export const layoutHolder = (shards: number): string => `${shards}-shards`;

/** The number of shards that a holder stands for; undefined for a single leader. */
export function shardsOfHolder(holder: string): number | undefined {
  const count = /^([1-9]\d*)-shards$/.exec(holder)?.[1];
  return count === undefined ? undefined : Number(count);
}

/** The replicas that the Lease of a layout names, with the time that each of them wrote last. */
export function replicasOf(lease: KubeObject): Readonly<Record<string, string>> {
  try {
    return stringMap(parseJson(annotationsOf(lease)[replicasAnnotation] ?? '{}'));
  } catch (error) {
    // Somebody else changed it: the replicas add themselves again.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export const withReplicas = (lease: KubeObject, replicas: Readonly<Record<string, string>>): KubeObject =>
  withMeta(lease, {
    annotations: { ...annotationsOf(lease), [replicasAnnotation]: printJson(replicas) },
  });
