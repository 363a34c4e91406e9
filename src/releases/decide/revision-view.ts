import { numberAt, textAt } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { ReleasePod } from './pod-view.ts';

export const byName = (revisions: readonly KubeObject[]): ReadonlyMap<string, KubeObject> =>
  new Map(revisions.map((revision) => [nameOf(revision), revision]));

/** The revision with the lowest number that an active pod has. */
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
 * The revision of pods that stay old and are made anew: the stable revision of a canary, else the one that the status
 * has recorded, else the oldest one of a pod. The oldest pod may have a template that was replaced before all pods had it.
 */
export function keptRevision(
  workload: KubeObject,
  oldest: KubeObject | undefined,
  revisions: ReadonlyMap<string, KubeObject>,
  update: KubeObject,
): KubeObject {
  const recorded = (...path: readonly string[]): KubeObject | undefined =>
    revisions.get(textAt(workload, 'status', ...path) ?? '');
  return recorded('canary', 'revision') ?? recorded('currentRevision') ?? oldest ?? update;
}

/**
 * The revision that pods had before the release: the oldest one of an active pod. Pods that are missing may have had the
 * one that the status has recorded, so it stays until all pods are there. It also stays when the template goes back to it:
 * a template that was replaced before all pods had it is no revision to keep.
 */
export function currentRevision(
  workload: KubeObject,
  oldest: KubeObject | undefined,
  revisions: ReadonlyMap<string, KubeObject>,
  { update, isMissing }: { readonly update: KubeObject; readonly isMissing: boolean },
): KubeObject | undefined {
  const recorded = revisions.get(textAt(workload, 'status', 'currentRevision') ?? '');
  const isAborted = textAt(workload, 'status', 'canary', 'abortedRevision') === nameOf(update);
  const isBack = recorded !== undefined && nameOf(recorded) === nameOf(update) && !isAborted;
  return isMissing || isBack ? (recorded ?? oldest) : oldest;
}
