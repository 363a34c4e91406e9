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
  const { get, list, named } = requests(client, signal);
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
    async nodes(ofPods) {
      const names = new Set(ofPods.map((pod) => factsOf(pod).node).filter((name) => name !== ''));
      return names.size > fewNodes ? byName(await list(nodes, '')) : named(nodes, '', names);
    },
    claims: async (namespace) => byName(hasClaims ? await list(claims, namespace) : []),
    budgets: async (namespace) =>
      (await list(budgets, namespace)).map((each) => budgetOf(each, [], undefined)),
    async isNamespaceEnding(name) {
      const found = await get(namespaces, '', name);
      return found === undefined || isDeleting(found);
    },
  };
}

/** Requests whose refusal is thrown. */
function requests(client: Pick<KubeClient, 'get' | 'list'>, signal: AbortSignal) {
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
  return { get, list, named };
}

/** So many nodes are read one by one; above it the list is cheaper. */
const fewNodes = 20;

function byName(objects: readonly KubeObject[]): (name: string) => KubeObject | undefined {
  const named = new Map(objects.map((object) => [nameOf(object), object]));
  return (name) => named.get(name);
}
