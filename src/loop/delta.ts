import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';

/** What happened to one object. `object` of a deletion is its last known state. */
export type Delta =
  | { readonly type: 'added'; readonly object: KubeObject }
  | { readonly type: 'updated'; readonly object: KubeObject; readonly old: KubeObject }
  | { readonly type: 'deleted'; readonly object: KubeObject };

/** The key of an object: `namespace/name`, or the name alone. */
export const keyOf = (object: KubeObject): string => objectKey(namespaceOf(object), nameOf(object));

export const objectKey = (namespace: string, name: string): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** The namespace and the name of a key. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
