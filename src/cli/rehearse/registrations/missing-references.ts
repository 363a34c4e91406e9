import { kindOf, nameOf, namespaceOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';
import { referencesIn, type Reference } from '#cli/rehearse/pod-references.ts';
import type { InstanceState } from './instance-states.ts';

const resources: Readonly<Partial<Record<Reference['kind'], Resource>>> = {
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

function isThere(cluster: VirtualCluster, kind: Reference['kind'], namespace: string, name: string): boolean {
  const resource = resources[kind];
  if (resource === undefined) return true;
  return cluster
    .stored(resource)
    .some((object) => nameOf(object) === name && namespaceOf(object) === namespace);
}
