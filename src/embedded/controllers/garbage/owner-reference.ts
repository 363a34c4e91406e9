import { isObject, listAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Whether the owner's foreground deletion waits for this dependent. */
  readonly blocks: boolean;
  /** As written, to be written back. */
  readonly json: JsonObject;
};

const none: readonly OwnerReference[] = [];

export function ownersOf(object: KubeObject): readonly OwnerReference[] {
  const list = listAt(object, 'metadata', 'ownerReferences');
  if (list.length === 0) return none;
  return list.filter(isObject).map((json) => ({
    apiVersion: textAt(json, 'apiVersion') ?? '',
    kind: textAt(json, 'kind') ?? '',
    name: textAt(json, 'name') ?? '',
    uid: textAt(json, 'uid') ?? '',
    blocks: json['blockOwnerDeletion'] === true,
    json,
  }));
}
