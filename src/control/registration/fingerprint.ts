import { printJson } from '#base/json-text.ts';
import { hashText } from '#base/hash.ts';
import { metaOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

export type Circumstances = {
  readonly instance: KubeObject;
  readonly children: readonly KubeObject[];
  /** What else was looked at. */
  readonly others: readonly (KubeObject | undefined)[];
  /** Where the hook is. */
  readonly place: string;
};

/**
 * Everything that a reconciliation depends on, in few letters. While it stays the same there is nothing to reconcile:
 * neither after a write of our own status nor after a list that brought nothing new (D-15).
 */
export function fingerprintOf({ instance, children, others, place }: Circumstances): string {
  const { generation, labels, annotations, finalizers, deletionTimestamp } = metaOf(instance);
  const about = [generation, labels, annotations, finalizers, deletionTimestamp].map((each) => each ?? null);
  const versions = children.map(versionOf).sort();
  return hashText(printJson([uidOf(instance), about, versions, others.map(versionOf), place]));
}

const versionOf = (object: KubeObject | undefined): string =>
  object === undefined ? '' : `${uidOf(object)} ${resourceVersionOf(object)}`;
