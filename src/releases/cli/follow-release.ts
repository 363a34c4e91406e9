import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import { pods, revisions } from '#loop/owned/resources.ts';
import { viewSnapshotOf } from '#releases/controller/view-snapshot.ts';
import { ownedSelection, runSelection } from '#releases/controller/workload-selection.ts';
import type { ViewSnapshot } from '#releases/decide/view/release-view.ts';
import { watchHealth, type WatchHealth } from './watch-health.ts';
import type { FoundWorkload } from './find-workload.ts';

/** A release that is followed by watches, which resume by themselves. */
export type FollowedRelease = Pick<WatchHealth, 'trouble'> & {
  /** The release as it is now; undefined after its deletion. */
  snapshot(): ViewSnapshot | undefined;
};

/** Follows a release until the signal aborts. Calls `onChange` after each change, from the first whole state on. */
export async function followRelease(
  cluster: InCluster,
  { kind, workload }: FoundWorkload,
  onChange: () => void,
): Promise<FollowedRelease> {
  const namespace = namespaceOf(workload);
  const health = watchHealth(cluster.client, systemClock, onChange);
  const follow = (resource: Resource, selection: Selected): Informer => {
    const { client, report } = health;
    const deps = { client, report, clock: systemClock, random: systemRandom, dropManagedFields: true };
    const informer = createInformer({ ...deps, resource, namespace, ...selection });
    void informer.run(cluster.whole);
    return informer;
  };
  const owned = ownedSelection(workload);
  const fieldSelector = `metadata.name=${nameOf(workload)}`;
  const workloads = follow(kind.resource, { fieldSelector });
  const selected =
    owned === undefined
      ? []
      : [follow(pods, { labelSelector: owned }), follow(revisions, { labelSelector: owned })];
  const runs = follow(hookRuns, { labelSelector: runSelection(workload) });
  const all = [workloads, ...selected, runs];
  await untilAborted(Promise.all([workloads, ...selected].map(({ synced }) => synced)), cluster.whole);
  for (const informer of all) informer.subscribe(onChange);
  const listOf = (informer: Informer | undefined): readonly KubeObject[] => informer?.list() ?? [];
  return {
    trouble: health.trouble,
    snapshot() {
      const current = workloads.get(namespace, nameOf(workload));
      if (current === undefined) return undefined;
      const [ownPods, ownRevisions] = selected;
      const objects = { pods: listOf(ownPods), revisions: listOf(ownRevisions), runs: runs.list() };
      return viewSnapshotOf({ workload: current, ...objects }, systemClock.now());
    },
  };
}

type Selected = { readonly labelSelector?: string; readonly fieldSelector?: string };

/** The same, but rejects when the signal aborts first. */
export function untilAborted<Result>(task: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  return Promise.race([task, aborted]);
}
