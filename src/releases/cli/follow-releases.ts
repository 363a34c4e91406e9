import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { metaOf, type KubeObject, type WithMetadata } from '#kube/object.ts';
import { createInformer } from '#loop/informer.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import { releaseSummaryOf, type ReleaseSummary } from '#releases/decide/view/release-summary.ts';
import { untilAborted } from './follow-release.ts';
import type { ReleaseSelection } from './read-releases.ts';
import { watchHealth, type WatchHealth } from './watch-health.ts';

/** What is kept of a workload: enough to compare versions, and its summary. */
type KeptRelease = WithMetadata & { readonly summary: ReleaseSummary };

const summaries = {
  name: 'release-summary',
  of(object: KubeObject): KeptRelease {
    const { name, namespace, uid, resourceVersion } = metaOf(object);
    const metadata = { name: name ?? '', namespace: namespace ?? '', uid: uid ?? '' };
    return {
      metadata: { ...metadata, resourceVersion: resourceVersion ?? '' },
      summary: releaseSummaryOf(object),
    };
  },
};

/** Releases that are followed by watches, which resume by themselves. */
export type FollowedReleases = Pick<WatchHealth, 'trouble'> & {
  releases(): readonly ReleaseSummary[];
};

/** Follows the releases of these kinds. Calls `onChange` for each change after the first whole list. */
export async function followReleases(
  cluster: InCluster,
  kinds: readonly WorkloadKind[],
  {
    selection,
    onChange,
  }: {
    readonly selection: ReleaseSelection;
    /** The release as it is now, with the phase Deleted when it was deleted. Undefined: the connection has changed. */
    readonly onChange: (release: ReleaseSummary | undefined) => void;
  },
): Promise<FollowedReleases> {
  const health = watchHealth(cluster.client, systemClock, () => onChange(undefined));
  const { client, report } = health;
  const informers = kinds.map(({ resource }) =>
    createInformer({
      client,
      report,
      clock: systemClock,
      random: systemRandom,
      resource,
      ...selection,
      decode: summaries,
    }),
  );
  for (const informer of informers) void informer.run(cluster.whole);
  await untilAborted(Promise.all(informers.map(({ synced }) => synced)), cluster.whole);
  for (const informer of informers) {
    let isListed = false;
    informer.subscribe(({ type, object }) => {
      const { summary } = object;
      if (isListed) onChange(type === 'deleted' ? { ...summary, phase: 'Deleted' } : summary);
    });
    isListed = true;
  }
  return {
    trouble: health.trouble,
    releases: () => informers.flatMap((informer) => informer.list().map(({ summary }) => summary)),
  };
}
