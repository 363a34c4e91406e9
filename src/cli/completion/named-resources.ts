import type { Resource } from '#kube/resource.ts';

export type ObjectSource = 'clusters' | 'namespaces' | 'nodes' | 'pods' | 'runs' | 'templates' | 'workloads';

/** A resource, and what stands before the names of its objects: `gd/`. */
export type NamedResource = { readonly resource: Resource; readonly prefix: string };

const core = { group: '', version: 'v1' };
const tkex = { group: 'tkex.tencent.com', version: 'v1alpha1', namespaced: true };
const platform = { group: 'platform.tkestack.io', version: 'v1', namespaced: false };
const plain = (...resources: readonly Resource[]): readonly NamedResource[] =>
  resources.map((resource) => ({ resource, prefix: '' }));

/** Written out, because the kinds with their schemas take longer to load than a completion may take. */
const resources: Readonly<Record<Exclude<ObjectSource, 'workloads'>, readonly NamedResource[]>> = {
  clusters: plain({ ...platform, plural: 'clusters' }, { ...platform, plural: 'machines' }),
  namespaces: plain({ ...core, plural: 'namespaces', namespaced: false }),
  nodes: plain({ ...core, plural: 'nodes', namespaced: false }),
  pods: plain({ ...core, plural: 'pods', namespaced: true }),
  runs: plain({ ...tkex, plural: 'hookruns' }),
  templates: plain({ ...tkex, plural: 'hooktemplates' }),
};

const workloadKinds: readonly (readonly [Resource, readonly string[]])[] = [
  [{ ...tkex, plural: 'gamedeployments' }, ['gd', 'gamedeployment', 'gamedeployments']],
  [{ ...tkex, plural: 'gamestatefulsets' }, ['gsts', 'gamestatefulset', 'gamestatefulsets']],
];

/** The resources whose names can begin with the text. */
export function namedResources(source: ObjectSource, text: string): readonly NamedResource[] {
  return source === 'workloads' ? workloads(text) : resources[source];
}

/** Workloads are `gd/shop`, with the word for the kind that is typed already, or without one: `shop`. */
function workloads(text: string): readonly NamedResource[] {
  const [word = '', name] = text.split('/');
  if (name !== undefined)
    return workloadKinds.flatMap(([resource, words]) =>
      words.includes(word) ? [{ resource, prefix: `${word}/` }] : [],
    );
  return workloadKinds.flatMap(([resource, [short = '']]) => [
    ...(`${short}/`.startsWith(text) ? [{ resource, prefix: `${short}/` }] : []),
    ...(text === '' ? [] : [{ resource, prefix: '' }]),
  ]);
}
