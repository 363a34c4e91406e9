import type { KubeClient } from '#edge/kube/client.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { claim } from '#kube/workload/claim.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { updateRevision } from '#kube/workload/revisions.ts';
import { selectorOf } from '#loop/owned/owned.ts';
import { budgets, claims, namespaces, nodes, pods, revisions } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { workloadUidLabel } from '#releases/model/well-known.ts';
import { budgetOf } from './disruptions.ts';
import { revisionNaming } from './update-revision.ts';
import type { WorkloadKind } from './workload-kind.ts';
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
  const list = async (of: Resource, namespace: string): Promise<readonly KubeObject[]> => {
    const listed = await client.list(of, { namespace }, signal);
    if (listed.type !== 'ok') throw new Refused(listed);
    return listed.items;
  };
  const lookup = async (of: Resource, namespace: string) => byName(await list(of, namespace));
  /** What the workload owns once the controller has adopted what it may. */
  const owned = async (of: Resource, workload: KubeObject): Promise<readonly KubeObject[]> => {
    const found = claim(workload, selectorOf(workload), await list(of, namespaceOf(workload)));
    return [...found.owned, ...found.adopt];
  };
  return {
    workload: ({ namespace, name }) => get(resource, namespace, name),
    async revisions(workload) {
      const known = await owned(revisions, workload);
      return withoutUpdate(known, updateRevision(workload, known, revisionNaming).revision);
    },
    pods: (workload) => owned(pods, workload),
    async runs(workload) {
      const all = await list(hookRuns, namespaceOf(workload));
      const uid = uidOf(workload);
      const isOwn = (run: KubeObject): boolean =>
        controllerOf(run)?.uid === uid || (isDeleting(workload) && labelsOf(run)[workloadUidLabel] === uid);
      return { own: all.filter(isOwn), named: byName(all) };
    },
    templates: (namespace) => lookup(hookTemplates, namespace),
    nodes: () => lookup(nodes, ''),
    claims: (namespace) => (hasClaims ? lookup(claims, namespace) : Promise.resolve(byName([]))),
    budgets: async (namespace) => (await list(budgets, namespace)).map((each) => budgetOf(each, new Set())),
    async isNamespaceEnding(name) {
      const found = await get(namespaces, '', name);
      return found === undefined || isDeleting(found);
    },
  };
}

function byName(objects: readonly KubeObject[]): (name: string) => KubeObject | undefined {
  const named = new Map(objects.map((object) => [nameOf(object), object]));
  return (name) => named.get(name);
}
