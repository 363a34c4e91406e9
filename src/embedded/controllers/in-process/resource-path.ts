import type { ResourceRef } from './cluster.ts';

/** The path of an object, or of the collection when no name is given. */
export function resourcePath(resource: ResourceRef, namespace: string, name?: string): string {
  const root =
    resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const leaf = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${resource.plural}${leaf}`;
}

export const groupOf = (apiVersion: string): string => {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
};

export const apiVersionOf = ({ group, version }: ResourceRef): string =>
  group === '' ? version : `${group}/${version}`;
