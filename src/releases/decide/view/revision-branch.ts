import { numberAt, textAt } from '#base/json.ts';
import { labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import { originOf } from '#releases/model/run-labels.ts';
import { revisionLabel } from '#releases/model/well-known.ts';
import { podRowOf, type PodRow } from './pod-row.ts';
import { imagesOf, type ContainerImage } from './release-summary.ts';
import { runViewOf, type RunView } from './run-view.ts';

/** `update`: the template as it is now. `stable`: the last one that went through all steps. */
export type RevisionRole = 'update' | 'stable' | 'aborted';

/** A revision with the pods and HookRuns that belong to it. */
export type RevisionBranch = {
  readonly name: string;
  /** As `release history` counts it; 0: the ControllerRevision does not exist. */
  readonly number: number;
  readonly roles: readonly RevisionRole[];
  readonly images: readonly ContainerImage[];
  readonly replicas: { readonly total: number; readonly inService: number };
  readonly pods: readonly PodRow[];
  readonly runs: readonly RunView[];
};

export type BranchesGiven = {
  readonly workload: KubeObject;
  readonly updateRevision: KubeObject;
  readonly revisions: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
  readonly runs: readonly KubeObject[];
};

/** Revisions that have a pod or a role, newest first. */
export function revisionBranches(given: BranchesGiven): readonly RevisionBranch[] {
  const { workload, updateRevision, revisions, pods, runs } = given;
  const known = new Map(revisions.map((revision) => [nameOf(revision), revision]));
  const podsOf = groupBy(pods, (pod) => labelsOf(pod)[revisionLabel] ?? '');
  const runsOf = groupBy(currentRuns(workload, runs), (run) => originOf(run).revision);
  const roles = rolesOf(workload, nameOf(updateRevision));
  const names = new Set([...roles.keys(), ...podsOf.keys()]);
  return [...names]
    .map((name) => {
      const revision = known.get(name);
      const own = podsOf.get(name) ?? [];
      return {
        name,
        number: revision === undefined ? 0 : (numberAt(revision, 'revision') ?? 0),
        roles: roles.get(name) ?? [],
        images: revision === undefined ? [] : imagesOf(templateOf(revision)),
        replicas: { total: own.length, inService: own.filter((pod) => releasePodOf(pod).isInService).length },
        pods: own.map(podRowOf).toSorted(byName),
        runs: (runsOf.get(fitted(name)) ?? []).map(runViewOf).toSorted(byAge),
      };
    })
    .toSorted((left, right) => right.number - left.number || (left.name < right.name ? -1 : 1));
}

function rolesOf(workload: KubeObject, update: string): ReadonlyMap<string, readonly RevisionRole[]> {
  const canary = (name: string): string => textAt(workload, 'status', 'canary', name) ?? '';
  const found = new Map<string, readonly RevisionRole[]>([[update, ['update']]]);
  for (const [name, role] of [
    [canary('revision'), 'stable'],
    [canary('abortedRevision'), 'aborted'],
  ] as const)
    if (name !== '') found.set(name, [...(found.get(name) ?? []), role]);
  return found;
}

/** HookRuns of steps of the present release, and HookRuns of pods. Kept ones of earlier releases are in the history. */
function currentRuns(workload: KubeObject, runs: readonly KubeObject[]): readonly KubeObject[] {
  const release = textAt(workload, 'status', 'canary', 'releaseID') ?? '';
  return runs.filter((run) => {
    const origin = originOf(run);
    return origin.point !== 'canary-step' || origin.release === release;
  });
}

function groupBy(
  objects: readonly KubeObject[],
  keyOf: (object: KubeObject) => string,
): ReadonlyMap<string, readonly KubeObject[]> {
  const found = new Map<string, KubeObject[]>();
  for (const object of objects) {
    const key = keyOf(object);
    const list = found.get(key);
    if (list === undefined) found.set(key, [object]);
    else list.push(object);
  }
  return found;
}

const byName = (left: PodRow, right: PodRow): number => (naturally(left.name, right.name) ? -1 : 1);

/** Ordinals at the end count as numbers: `db-2` before `db-10`. */
const naturally = (left: string, right: string): boolean =>
  left.length === right.length || !/-\d+$/.test(left) || !/-\d+$/.test(right)
    ? left < right
    : Number(/\d+$/.exec(left)?.[0]) < Number(/\d+$/.exec(right)?.[0]);

const byAge = (left: RunView, right: RunView): number =>
  `${left.created} ${left.name}` < `${right.created} ${right.name}` ? -1 : 1;
