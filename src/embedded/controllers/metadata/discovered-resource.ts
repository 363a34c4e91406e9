import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { isConditionTrue } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import { versionPath, type Resource } from '#kube/resource.ts';
import { Refused } from '#loop/owned/write.ts';
import { crdResources } from '#schema/crd/crd-resources.ts';

/** A resource with what discovery reports of it. */
export type DiscoveredResource = Resource & { readonly kind: string; readonly verbs: readonly string[] };

/** The same objects are served under two groups; they are taken from the core group. */
const isDuplicate = ({ group, plural }: Resource): boolean =>
  group === 'events.k8s.io' && plural === 'events';

/** Every resource that can be listed, in the preferred version of its group. */
export async function discoverResources(
  client: Pick<KubeClient, 'raw'>,
  signal: AbortSignal,
): Promise<readonly DiscoveredResource[]> {
  /** `whenGone`: the last definition of a group may go between two requests. */
  const get = async (path: string, whenGone?: KubeObject): Promise<KubeObject> => {
    const outcome = await client.raw(path, signal);
    if (outcome.type === 'not-found' && whenGone !== undefined) return whenGone;
    if (outcome.type !== 'ok') throw new Refused(outcome);
    return outcome.object;
  };
  const [core, groups] = await Promise.all([get('/api'), get('/apis')]);
  const versions = [
    ...listAt(core, 'versions')
      .filter((version) => typeof version === 'string')
      .map((version) => ({ group: '', version })),
    ...listAt(groups, 'groups').flatMap((group) =>
      listAt(group, 'versions').map((each) => ({
        group: textAt(group, 'name') ?? '',
        version: textAt(each, 'version') ?? '',
      })),
    ),
  ];
  const lists = await Promise.all(
    versions.map(async ({ group, version }) => ({
      group,
      version,
      list: await get(versionPath(group, version), {}),
    })),
  );
  const found = lists.flatMap(({ group, version, list }) =>
    listAt(list, 'resources')
      .filter(isObject)
      .map((each) => resourceOf(each, { group, version })),
  );
  return preferred(found.filter((each) => canBeWatched(each) && !isDuplicate(each)));
}

/** A ComponentStatus can be listed and not watched. */
const canBeWatched = ({ verbs }: DiscoveredResource): boolean =>
  verbs.includes('list') && verbs.includes('watch');

const resourceOf = (
  found: JsonObject,
  { group, version }: { readonly group: string; readonly version: string },
): DiscoveredResource => ({
  group,
  version,
  plural: textAt(found, 'name') ?? '',
  kind: textAt(found, 'kind') ?? '',
  namespaced: found['namespaced'] === true,
  verbs: listAt(found, 'verbs').filter((verb) => typeof verb === 'string'),
});

/** Versions of a group are listed in the order of preference: the first one that has a resource counts. */
function preferred(resources: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const byName = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const name = resourceName(resource);
    if (!byName.has(name)) byName.set(name, resource);
  }
  return [...byName.values()];
}

/** `plural.group`, which is also the name of a CustomResourceDefinition. */
export const resourceName = ({ group, plural }: Resource): string => `${plural}.${group}`;

const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The resource that a CustomResourceDefinition defines, in its preferred version; undefined while it is not served. */
export function customResource(crd: KubeObject): DiscoveredResource | undefined {
  const first = isConditionTrue(crd, 'Established') ? crdResources(crd)[0] : undefined;
  if (first === undefined) return undefined;
  const { group, version, plural, kind, namespaced } = first;
  return { group, version, plural, kind, namespaced, verbs: customVerbs };
}

/** A CustomResourceDefinition without its schemas, which are most of it. */
export const crdWithoutSchemas = {
  name: 'crd-without-schemas',
  of: (crd: KubeObject): KubeObject => ({
    ...crd,
    spec: {
      ...objectAt(crd, 'spec'),
      versions: listAt(crd, 'spec', 'versions').map((each) => ({
        name: textAt(each, 'name') ?? '',
        served: isObject(each) && each['served'] === true,
        storage: isObject(each) && each['storage'] === true,
      })),
    },
  }),
};
