import type { Cluster, ResourceRef } from './cluster.ts';
import { groupOf } from './resource-path.ts';

type Kind = { readonly apiVersion: string; readonly kind: string };

/** Looks up kinds among the served resources, which come and go. */
export function kindLookup(cluster: Cluster): (kind: Kind) => ResourceRef | undefined {
  let known: readonly ResourceRef[] = [];
  let byKind = new Map<string, ResourceRef>();
  return ({ apiVersion, kind }) => {
    const resources = cluster.resources();
    if (resources !== known) {
      known = resources;
      byKind = new Map(resources.map((each) => [`${each.group}/${each.kind}`, each]));
    }
    return byKind.get(`${groupOf(apiVersion)}/${kind}`);
  };
}

/** The resource as it is served now. */
export const findResource = (cluster: Cluster, group: string, plural: string): ResourceRef | undefined =>
  cluster.resources().find((each) => each.group === group && each.plural === plural);
