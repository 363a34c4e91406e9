import { hashText } from '#base/hash.ts';
import type { JsonObject } from '#base/json.ts';
import { subresourceInfo } from '#embedded/kinds/subresource-kinds.ts';
import type { Group, ServedVersion } from '#embedded/server/registry/registry.ts';
import { apiVersionOf, type ApiResource } from '#embedded/server/registry/resource.ts';

/** `/api`. */
export const apiVersions = (): JsonObject => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1' }],
});

/** `/apis`. */
export const groupList = (groups: readonly Group[]): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.filter((group) => group.name !== '').map(groupEntry),
});

/** `/apis/<group>`. */
export const groupDocument = (group: Group): JsonObject => ({
  kind: 'APIGroup',
  apiVersion: 'v1',
  ...groupEntry(group),
});

function groupEntry(group: Group): JsonObject {
  const versions = group.versions.map(({ version }) => ({
    groupVersion: apiVersionOf(group.name, version),
    version,
  }));
  return { name: group.name, versions, preferredVersion: versions[0] ?? {} };
}

/** `/api/v1` and `/apis/<group>/<version>`. */
export const resourceList = (group: string, { version, resources }: ServedVersion): JsonObject => ({
  kind: 'APIResourceList',
  ...(group === '' ? {} : { apiVersion: 'v1' }),
  groupVersion: apiVersionOf(group, version),
  resources: resources.flatMap(entries),
});

function entries(resource: ApiResource): readonly JsonObject[] {
  const subresources = resource.subresources.toSorted().map((name): JsonObject => {
    const { group, version, kind, verbs } = subresourceInfo(resource.kind, name);
    return {
      name: `${resource.plural}/${name}`,
      singularName: '',
      namespaced: resource.namespaced,
      ...(group === '' ? {} : { group, version }),
      kind,
      verbs,
    };
  });
  return [entry(resource), ...subresources];
}

function entry(resource: ApiResource): JsonObject {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(verbs.includes('list') && verbs.includes('create')
      ? { storageVersionHash: storageHash(resource) }
      : {}),
  };
}

/** Clients compare it to learn whether the stored form changed; nothing else is promised of it. */
const storageHash = (resource: ApiResource): string =>
  btoa(hashText(`${resource.storage} ${resource.kind}`).slice(0, 8));
