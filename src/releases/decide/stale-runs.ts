import type { KubeObject } from '#kube/object.ts';
import type { ReleaseAction } from './model/action.ts';
import { inPlaceStateOf } from './in-place-state.ts';
import type { ReleasePod } from './pod-view.ts';
import { originOf } from './model/run-labels.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { isBad } from '#hooks/decide/run-phase.ts';

export type StaleGiven = {
  readonly runs: readonly KubeObject[];
  /** All pods of the workload that still exist. */
  readonly pods: readonly ReleasePod[];
  readonly instanceOf: (pod: ReleasePod) => string;
  readonly targetRevision: string;
  /** Points whose bad runs a person wants to see asked again. */
  readonly retry: ReadonlySet<string>;
};

/** Runs about pods that have gone or moved on, and bad ones that shall be asked again. */
export function staleRuns({
  runs,
  pods,
  instanceOf,
  targetRevision,
  retry,
}: StaleGiven): readonly ReleaseAction[] {
  if (runs.length === 0) return [];
  const known = new Map(pods.map((pod) => [`${fitted(pod.revision)} ${instanceOf(pod)}`, pod]));
  return runs.flatMap((run): readonly ReleaseAction[] => {
    const { point, revision, instance } = originOf(run);
    if (point === 'canary-step' || point === '') return [];
    const pod = known.get(`${revision} ${instance}`);
    const isStale = pod === undefined || !isWanted(point, pod, targetRevision);
    return isStale || (retry.has(point) && isBad(run)) ? [{ type: 'delete-run', run }] : [];
  });
}

/** Whether the question still has a meaning for the pod. */
function isWanted(point: string, pod: ReleasePod, targetRevision: string): boolean {
  if (point === 'post-inplace') return inPlaceStateOf(pod.pod)?.isHookDue === true;
  return pod.facts.isDeleting || pod.leaving !== undefined || pod.revision !== targetRevision;
}
