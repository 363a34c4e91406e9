import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import { objectKey } from '#loop/delta.ts';
import { namespaceOf, type WithMetadata } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';

/** The key of the instance that controls an object. */
export function instanceKey(object: WithMetadata, { kind, group }: InstanceKind): string | undefined {
  const owner = controllerOf(object);
  if (owner?.kind !== kind || owner.apiVersion.split('/')[0] !== group) return undefined;
  return objectKey(namespaceOf(object), owner.name);
}
