import { systemClock } from '#edge/clock.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { refusedExit } from '#command/open-cluster.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { pods, revisions } from '#loop/owned/resources.ts';
import { viewSnapshotOf } from '#releases/controller/view-snapshot.ts';
import { ownedSelection, runSelection } from '#releases/controller/workload-selection.ts';
import type { ViewSnapshot } from '#releases/decide/view/release-view.ts';

/** Reads what `release get` shows of a workload, by label selectors. Ends the command when the server refuses it. */
export async function readView(cluster: InCluster, workload: KubeObject): Promise<ViewSnapshot> {
  const owned = ownedSelection(workload);
  const [ownPods, ownRevisions, runs] = await Promise.all([
    listSelected(cluster, pods, workload, owned),
    listSelected(cluster, revisions, workload, owned),
    listSelected(cluster, hookRuns, workload, runSelection(workload)),
  ]);
  return viewSnapshotOf({ workload, pods: ownPods, revisions: ownRevisions, runs }, systemClock.now());
}

/** Objects in the namespace of a workload. A resource that the cluster does not serve has none. */
export async function listSelected(
  { client, signal }: InCluster,
  resource: Resource,
  workload: KubeObject,
  labelSelector: string | undefined,
): Promise<readonly KubeObject[]> {
  if (labelSelector === undefined) return [];
  const namespace = namespaceOf(workload);
  const listed = await client.list(resource, { namespace, labelSelector }, signal());
  if (listed.type === 'ok') return listed.items;
  if (listed.type === 'not-found') return [];
  throw refusedExit(listed, `${resource.plural} in namespace ${namespace}`);
}
