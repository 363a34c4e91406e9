import type { JsonObject } from '#base/json.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';

/** The API version of tables and of partial objects; `meta.k8s.io/v1beta1` when a client requests that one. */
export const metaApiVersion = 'meta.k8s.io/v1';

/** An object reduced to its metadata. */
export function partialObjectMetadata(object: KubeObject, apiVersion: string = metaApiVersion): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: metaOf(object) };
}
