/** A resource of the API, such as `{ group: 'apps', version: 'v1', plural: 'deployments', namespaced: true }`. */
export type Resource = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
};

/** One object of a resource. */
export type ObjectKey = { readonly namespace?: string | undefined; readonly name: string };

const segment = (text: string): string => encodeURIComponent(text);

/** The path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export const versionPath = (group: string, version: string): string =>
  group === '' ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;

/** The path of all objects: of one namespace, or of all when none is named. */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  const { group, version, plural, namespaced } = resource;
  const base = versionPath(group, version);
  const inside = namespaced && namespace ? `/namespaces/${segment(namespace)}` : '';
  return `${base}${inside}/${segment(plural)}`;
}

export function objectPath(resource: Resource, { namespace, name }: ObjectKey, subresource?: string): string {
  if (name === '') throw new Error(`an object of ${resource.plural} needs a name`);
  if (resource.namespaced && !namespace) throw new Error(`${resource.plural} ${name} needs a namespace`);
  const path = `${collectionPath(resource, namespace)}/${segment(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** A query of those values that are there. */
export function queryOf(values: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    for (const each of [value].flat()) query.append(name, String(each));
  }
  return query.toString();
}
