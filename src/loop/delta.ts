import { nameOf, namespaceOf, type KubeObject, type WithMetadata } from '#kube/object.ts';

/** What happened to one object. `object` of a deletion is its last known state. */
export type Delta<Decoded extends WithMetadata = KubeObject> =
  | { readonly type: 'added'; readonly object: Decoded }
  | { readonly type: 'updated'; readonly object: Decoded; readonly old: Decoded }
  | { readonly type: 'deleted'; readonly object: Decoded };

/** The key of an object: `namespace/name`, or the name alone. */
export const keyOf = (object: WithMetadata): string => objectKey(namespaceOf(object), nameOf(object));

export const objectKey = (namespace: string, name: string): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** The namespace and the name of a key. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
