import { isArray, isObject, textAt, type Json } from '#base/json.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';
import type { InstanceState } from './instance-states.ts';

type Reference = { readonly kind: 'ConfigMap' | 'Secret'; readonly name: string };

const resources: Readonly<Record<Reference['kind'], Resource>> = {
  ConfigMap: { group: '', version: 'v1', plural: 'configmaps', namespaced: true },
  Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
};

/** ConfigMaps and Secrets that pods would need and nobody has given. */
export function missingReferences(
  cluster: VirtualCluster,
  instances: readonly InstanceState[],
): readonly string[] {
  const found = new Set<string>();
  for (const { children } of instances)
    for (const child of children)
      for (const { kind, name } of referencesIn(child))
        if (!isThere(cluster, kind, namespaceOf(child), name))
          found.add(
            `${kindOf(child)} ${nameOf(child)} needs ${kind} ${namespaceOf(child)}/${name}, which is not in the manifests: pods would not start without it; add its file with -f`,
          );
  return [...found];
}

const isThere = (
  cluster: VirtualCluster,
  kind: Reference['kind'],
  namespace: string,
  name: string,
): boolean =>
  cluster
    .stored(resources[kind])
    .some((object) => nameOf(object) === name && namespaceOf(object) === namespace);

/** Where a pod names a ConfigMap or a Secret, and the member that has its name. */
const places: Readonly<Record<string, readonly [kind: Reference['kind'], member: string]>> = {
  configMapKeyRef: ['ConfigMap', 'name'],
  configMapRef: ['ConfigMap', 'name'],
  configMap: ['ConfigMap', 'name'],
  secretKeyRef: ['Secret', 'name'],
  secretRef: ['Secret', 'name'],
  secret: ['Secret', 'secretName'],
};

function referencesIn(value: KubeObject | Json): readonly Reference[] {
  if (isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = places[key];
    if (place !== undefined && isObject(inner)) {
      const name = textAt(inner, place[1]);
      if (name !== undefined && inner['optional'] !== true) return [{ kind: place[0], name }];
    }
    return inner === undefined ? [] : referencesIn(inner);
  });
}
