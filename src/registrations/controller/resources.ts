import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';
import { childKeyOf, childKinds } from '#registrations/decide/children.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Resource } from '#kube/resource.ts';
import { apiVersionOf, kindOf, type KubeObject } from '#kube/object.ts';

export const registrations: Resource = resourceOf(crdRegistration);

export const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

export const services: Resource = { group: '', version: 'v1', plural: 'services', namespaced: true };
export const endpoints: Resource = { group: '', version: 'v1', plural: 'endpoints', namespaced: true };

export const instanceResource = ({ group, version, plural }: InstanceKind): Resource => ({
  group,
  version,
  plural,
  namespaced: true,
});

/** The resource of a child. */
export function childResource(child: KubeObject): Resource {
  const key = childKeyOf(child);
  const found = childKinds.find((each) => each.key === key);
  if (found === undefined)
    throw new Error(`${apiVersionOf(child)} ${kindOf(child)} is not the kind of a child`);
  const { group, version, plural } = found;
  return { group, version, plural, namespaced: true };
}
