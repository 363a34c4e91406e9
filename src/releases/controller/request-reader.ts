import type { KubeClient } from '#edge/kube/client.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { updateRevision } from '#kube/workload/revisions.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { budgets, claims, namespaces, nodes, pods, revisions } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { hookTemplateNames } from '#releases/decide/hook-template-names.ts';
import { budgetOf } from './disruptions.ts';
import { revisionNaming } from './update-revision.ts';
import type { WorkloadKind } from './workload-kind.ts';
import { isRunOf, ownedBy, ownedSelection, runSelection } from './workload-selection.ts';
import { withoutUpdate, type SnapshotReader } from './workload-snapshot.ts';

/** Reads a snapshot by GET and LIST requests, for commands and pages. */
export function requestReader(
  client: Pick<KubeClient, 'get' | 'list'>,
  { resource, hasClaims }: Pick<WorkloadKind, 'resource' | 'hasClaims'>,
  signal: AbortSignal,
): SnapshotReader {
  const get = async (of: Resource, namespace: string, name: string): Promise<KubeObject | undefined> => {
    const outcome = await client.get(of, { namespace, name }, signal);
    if (outcome.type === 'ok') return outcome.object;
    if (outcome.type === 'not-found') return undefined;
    throw new Refused(outcome);
  };
  const list = async (
    of: Resource,
    namespace: string,
    labelSelector?: string,
  ): Promise<readonly KubeObject[]> => {
    const listed = await client.list(of, { namespace, labelSelector }, signal);
    if (listed.type !== 'ok') throw new Refused(listed);
    return listed.items;
  };
  /** Those of many names that exist. */
  const named = async (of: Resource, namespace: string, names: Iterable<string>) => {
    const found = await Promise.all([...names].map((name) => get(of, namespace, name)));
    return byName(found.filter((each) => each !== undefined));
  };
  const owned = async (of: Resource, workload: KubeObject): Promise<readonly KubeObject[]> => {
    const selection = ownedSelection(workload);
    return selection === undefined ? [] : ownedBy(workload, await list(of, namespaceOf(workload), selection));
  };
  return {
    workload: ({ namespace, name }) => get(resource, namespace, name),
    async revisions(workload) {
      const known = await owned(revisions, workload);
      return withoutUpdate(known, updateRevision(workload, known, revisionNaming).revision);
    },
    pods: (workload) => owned(pods, workload),
    async runs(workload) {
      const all = await list(hookRuns, namespaceOf(workload), runSelection(workload));
      // HookRuns of others are not read: a name that one of them has is found to be taken when the run is created.
      return { own: all.filter((run) => isRunOf(workload, run)), named: byName(all) };
    },
    templates: (workload) => named(hookTemplates, namespaceOf(workload), hookTemplateNames(workload)),
    nodes: (ofPods) => readNodes(client, ofPods, signal),
    claims: async (namespace) => byName(hasClaims ? await list(claims, namespace) : []),
    budgets: async (namespace) => (await list(budgets, namespace)).map((each) => budgetOf(each, new Set())),
    async isNamespaceEnding(name) {
      const found = await get(namespaces, '', name);
      return found === undefined || isDeleting(found);
    },
  };
}

/** So many nodes are read one by one; above it the list is cheaper. */
const fewNodes = 20;

/** The nodes of pods. Many users of a namespace may not read nodes: to them the nodes are unknown. */
async function readNodes(
  client: Pick<KubeClient, 'get' | 'list'>,
  ofPods: readonly KubeObject[],
  signal: AbortSignal,
): Promise<(name: string) => KubeObject | undefined> {
  const names = [...new Set(ofPods.map((pod) => factsOf(pod).node))].filter((name) => name !== '');
  if (names.length > fewNodes) {
    const listed = await client.list(nodes, {}, signal);
    if (listed.type !== 'ok' && listed.type !== 'forbidden') throw new Refused(listed);
    return byName(listed.type === 'ok' ? listed.items : []);
  }
  const found = await Promise.all(
    names.map(async (name) => {
      const outcome = await client.get(nodes, { namespace: '', name }, signal);
      if (outcome.type === 'ok') return [outcome.object];
      if (outcome.type === 'not-found' || outcome.type === 'forbidden') return [];
      throw new Refused(outcome);
    }),
  );
  return byName(found.flat());
}

function byName(objects: readonly KubeObject[]): (name: string) => KubeObject | undefined {
  const named = new Map(objects.map((object) => [nameOf(object), object]));
  return (name) => named.get(name);
}
