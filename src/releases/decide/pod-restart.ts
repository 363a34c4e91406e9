import { notReplaced } from './in-place-containers.ts';
import { inPlaceGraceOf, inPlaceStateOf } from './in-place-state.ts';
import type { ReleasePod } from './pod-view.ts';

/** In service, and no in-place update that has begun restarts it: a pod without a gate is ready until its containers stop. */
export const isStaying = (view: ReleasePod): boolean =>
  view.isInService && (view.gate !== 'none' || !isRestartDue(view));

/** Out of service by an in-place update, but the kubelet still says that it is ready. */
export const isReadyUntilRestart = (view: ReleasePod): boolean =>
  view.facts.isReady && !view.facts.isDeleting && !isStaying(view);

/** Not going, and out of service since an in-place update to its revision began. */
export const isRestarting = (view: ReleasePod): boolean =>
  !view.facts.isDeleting &&
  !isStaying(view) &&
  (view.gate === 'shut' || isRestartDue(view) || inPlaceStateOf(view.pod)?.revision === view.revision);

function isRestartDue({ pod, revision }: ReleasePod): boolean {
  if (inPlaceGraceOf(pod)?.revision === revision) return true;
  const state = inPlaceStateOf(pod);
  return state?.revision === revision && notReplaced(pod, state).length > 0;
}
