import type { JsonObject } from '#base/json.ts';
import { subresourceInfo } from '#embedded/kinds/subresource-kinds.ts';
import type { Group } from '#embedded/server/registry/registry.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';

/** All served groups, versions and resources in one response. */
export function aggregated(groups: readonly Group[], version: string): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(groupItem),
  };
}

function groupItem(group: Group): JsonObject {
  return {
    metadata: { ...(group.name === '' ? {} : { name: group.name }), creationTimestamp: null },
    versions: group.versions.map((each) => ({
      version: each.version,
      resources: each.resources.map(resourceItem),
      freshness: 'Current',
    })),
  };
}

function resourceItem(resource: ApiResource): JsonObject {
  const { plural, singular, namespaced, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: plural,
    responseKind: ownKind(resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : { subresources: subresources.map((name) => subresourceItem(resource, name)) }),
  };
}

/** Built-in kinds leave group and version to the parent; custom ones spell them out. */
function ownKind({ source, group, version, kind }: ApiResource): JsonObject {
  return source.type === 'custom' ? { group, version, kind } : { group: '', version: '', kind };
}

function subresourceItem(resource: ApiResource, name: string): JsonObject {
  const { group, version, kind, verbs } = subresourceInfo(resource.kind, name);
  const responseKind = kind === resource.kind ? ownKind(resource) : { group, version, kind };
  return { subresource: name, responseKind, verbs };
}
