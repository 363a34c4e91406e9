import type { KubeObject } from '#kube/object.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import { canonical } from './decode.ts';
import { refuseTooMany } from './size-limits.ts';

/** In the form in which the server writes the kind, with defaults: a zero that was sent counts as absent. */
export function shapedObject(resource: ApiResource, object: KubeObject): KubeObject {
  const { rules, source } = resource;
  if (source.type === 'custom') return rules.defaults?.(object) ?? object;
  refuseTooMany(object);
  const plain = canonical(source, object);
  const defaulted = rules.defaults?.(plain) ?? plain;
  return defaulted === plain ? plain : canonical(source, defaulted);
}
