import { numberAt, textAt } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { ReleasePod } from './pod-view.ts';

/** The revisions of a workload by name. */
export const byName = (revisions: readonly KubeObject[]): ReadonlyMap<string, KubeObject> =>
  new Map(revisions.map((revision) => [nameOf(revision), revision]));

/** The lowest-numbered revision that a living pod has (§2.4); undefined when none has a known one. */
export function oldestRevision(
  pods: readonly ReleasePod[],
  revisions: ReadonlyMap<string, KubeObject>,
): KubeObject | undefined {
  const names = new Set(pods.filter((pod) => pod.isActive).map((pod) => pod.revision));
  let oldest: KubeObject | undefined;
  for (const name of names) {
    const revision = revisions.get(name);
    if (revision !== undefined && (oldest === undefined || numberOf(revision) < numberOf(oldest)))
      oldest = revision;
  }
  return oldest;
}

const numberOf = (revision: KubeObject): number => numberAt(revision, 'revision') ?? 0;

/**
 * The revision of pods that shall stay old: the stable one of a release in steps, else the oldest that a pod has,
 * else the one that was recorded before the last such pod was lost.
 */
export function keptRevision(
  workload: KubeObject,
  oldest: KubeObject | undefined,
  revisions: ReadonlyMap<string, KubeObject>,
  update: KubeObject,
): KubeObject {
  const recorded = (...path: readonly string[]): KubeObject | undefined =>
    revisions.get(textAt(workload, 'status', ...path) ?? '');
  const old = oldest === update ? undefined : oldest;
  return recorded('canary', 'revision') ?? old ?? recorded('currentRevision') ?? update;
}
