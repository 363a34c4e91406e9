import type { KubeObject } from '#kube/object.ts';
import type { Act } from './act.ts';
import { inPlaceStateOf } from './in-place-state.ts';
import type { PodView } from './pod-view.ts';
import { originOf } from './run-labels.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { isBad } from '#hooks/decide/run-phase.ts';

export type StaleGiven = {
  readonly runs: readonly KubeObject[];
  /** All pods of the workload that still exist. */
  readonly pods: readonly PodView[];
  readonly instanceOf: (pod: PodView) => string;
  readonly targetRevision: string;
  /** Points whose bad runs a person wants to see asked again. */
  readonly retry: ReadonlySet<string>;
};

/** Runs about pods that have gone or moved on, and bad ones that shall be asked again. */
export function staleRuns({ runs, pods, instanceOf, targetRevision, retry }: StaleGiven): readonly Act[] {
  if (runs.length === 0) return [];
  const known = new Map(pods.map((pod) => [`${fitted(pod.revision)} ${instanceOf(pod)}`, pod]));
  return runs.flatMap((run): readonly Act[] => {
    const { point, revision, instance } = originOf(run);
    if (point === 'canary-step' || point === '') return [];
    const pod = known.get(`${revision} ${instance}`);
    const isStale = pod === undefined || !isWanted(point, pod, targetRevision);
    return isStale || (retry.has(point) && isBad(run)) ? [{ type: 'delete-run', run }] : [];
  });
}

/** Whether the question still has a meaning for the pod. */
function isWanted(point: string, pod: PodView, targetRevision: string): boolean {
  if (point === 'post-inplace') return inPlaceStateOf(pod.pod)?.isHookDue === true;
  return pod.facts.isDeleting || pod.leaving !== undefined || pod.revision !== targetRevision;
}
