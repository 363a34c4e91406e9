import { numberAt, textAt } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { ReleasePod } from './pod-view.ts';

export const byName = (revisions: readonly KubeObject[]): ReadonlyMap<string, KubeObject> =>
  new Map(revisions.map((revision) => [nameOf(revision), revision]));

/** The revision with the lowest number that one of the pods has. */
function oldestRevision(
  pods: readonly ReleasePod[],
  revisions: ReadonlyMap<string, KubeObject>,
): KubeObject | undefined {
  const known = pods.map((pod) => revisions.get(pod.revision)).filter((revision) => revision !== undefined);
  return known.toSorted((one, other) => numberOf(one) - numberOf(other))[0];
}

const numberOf = (revision: KubeObject): number => numberAt(revision, 'revision') ?? 0;

/** The revision of pods that stay old and are made anew: the stable revision of a canary, else the current one. */
export function keptRevision(
  workload: KubeObject,
  current: KubeObject | undefined,
  revisions: ReadonlyMap<string, KubeObject>,
  update: KubeObject,
): KubeObject {
  return revisions.get(textAt(workload, 'status', 'canary', 'revision') ?? '') ?? current ?? update;
}

/**
 * The last revision that all pods had. It stays until all have another one, also when the template changes again meanwhile:
 * a template that was replaced before all pods had it is no revision to keep. Without a record in the status it is the oldest
 * revision of a pod; undefined: there are no pods, or nothing is known.
 */
export function currentRevision(
  workload: KubeObject,
  { pods, staying, replicas, isBehind }: PodsOfRevisions,
  revisions: ReadonlyMap<string, KubeObject>,
): KubeObject | undefined {
  if (pods.length === 0 && replicas === 0 && !isBehind) return undefined;
  const [first, ...others] = new Set(pods.map((pod) => pod.revision));
  const isCommon = others.length === 0 && staying >= replicas && !isBehind;
  const common = isCommon ? revisions.get(first ?? '') : undefined;
  const recorded = revisions.get(textAt(workload, 'status', 'currentRevision') ?? '');
  return common ?? recorded ?? oldestRevision(pods, revisions);
}

export type PodsOfRevisions = {
  /** All active ones, also those that are too many: the replicas may be set back before they are gone. */
  readonly pods: readonly ReleasePod[];
  /** Number of those that count as replicas. */
  readonly staying: number;
  readonly replicas: number;
  /** A pod that is not shown yet may have another revision. */
  readonly isBehind: boolean;
};
