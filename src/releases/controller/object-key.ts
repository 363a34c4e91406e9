import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';

/** The key of an object in requests. */
export const objectKeyOf = (object: KubeObject): { readonly namespace: string; readonly name: string } => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
});
