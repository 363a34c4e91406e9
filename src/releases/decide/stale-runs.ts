import { uidOf, type KubeObject } from '#kube/object.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { inPlaceStateOf } from './in-place-state.ts';
import type { ReleasePod } from './pod-view.ts';
import { originOf } from '#releases/model/run-labels.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { isBad } from '#hooks/decide/run-phase.ts';

export type StaleGiven = {
  readonly runs: readonly KubeObject[];
  readonly pods: readonly ReleasePod[];
  readonly instanceOf: (pod: ReleasePod) => string;
  readonly targetRevision: string;
  /** Names of pods that this decision deletes, updates or lets wait for a hook: it relies on their runs. */
  readonly busy: ReadonlySet<string>;
  /** Points whose failed HookRuns are deleted, so that the hooks run again. */
  readonly retry: ReadonlySet<string>;
};

/** Deletes HookRuns of pods that are gone or updated, also when another pod has their place, and failed ones that must run again. */
export function staleRuns({
  runs,
  pods,
  instanceOf,
  targetRevision,
  busy,
  retry,
}: StaleGiven): readonly ReleaseAction[] {
  if (runs.length === 0) return [];
  const byInstance = new Map(pods.map((pod) => [`${fitted(pod.revision)} ${instanceOf(pod)}`, pod]));
  // Copies that users make of a pod are of the same instance.
  const byUid = new Map(pods.map((pod) => [`${fitted(pod.revision)} ${uidOf(pod.pod)}`, pod]));
  return runs.flatMap((run): readonly ReleaseAction[] => {
    const { point, revision, instance, podUid } = originOf(run);
    if (point === 'canary-step' || point === '') return [];
    const pod =
      podUid === '' ? byInstance.get(`${revision} ${instance}`) : byUid.get(`${revision} ${podUid}`);
    const isStale = pod === undefined || (!busy.has(pod.facts.name) && !isWanted(point, pod, targetRevision));
    return isStale || (retry.has(point) && isBad(run)) ? [{ type: 'delete-run', run }] : [];
  });
}

/** Whether the pod still needs the HookRun. */
function isWanted(point: string, pod: ReleasePod, targetRevision: string): boolean {
  if (point === 'post-inplace') return inPlaceStateOf(pod.pod)?.isHookDue === true;
  return pod.facts.isDeleting || pod.leaving !== undefined || pod.revision !== targetRevision;
}
