import { at, listAt, textAt, type JsonObject } from '#base/json.ts';
import { apiVersionOf, kindOf, nameOf, uidOf, type KubeObject, type WithMetadata } from '#kube/object.ts';

export type ControllerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
};

/** The one owner that controls the object. */
export function controllerOf({ metadata }: WithMetadata): ControllerReference | undefined {
  const found = listAt(metadata, 'ownerReferences').find((each) => at(each, 'controller') === true);
  if (found === undefined) return undefined;
  return {
    apiVersion: textAt(found, 'apiVersion') ?? '',
    kind: textAt(found, 'kind') ?? '',
    name: textAt(found, 'name') ?? '',
    uid: textAt(found, 'uid') ?? '',
  };
}

export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  controllerOf(object)?.uid === uidOf(owner);

/** The owner reference of the controller of an object. */
export const controllerReference = (owner: KubeObject): JsonObject => ({
  apiVersion: apiVersionOf(owner),
  kind: kindOf(owner),
  name: nameOf(owner),
  uid: uidOf(owner),
  controller: true,
  blockOwnerDeletion: true,
});
