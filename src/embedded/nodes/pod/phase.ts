import { hasFailedInit, isInit, isInitialized, isOrdinary, isOver, type Actor } from './cast.ts';
import type { PodPhase } from './phase-name.ts';
import type { KubeletPod } from './pod-view.ts';

/** K2: the phase that the containers' states amount to. */
export function phaseOf({ restartPolicy }: KubeletPod, actors: readonly Actor[]): PodPhase {
  if (hasFailedInit(actors, restartPolicy)) return 'Failed';
  const ordinary = actors.filter(isOrdinary);
  const hasBegun = ordinary.some(({ status }) => status.containerId !== '');
  if (!hasBegun && actors.some((each) => isInit(each) && !isInitialized(each))) return 'Pending';
  if (ordinary.some(({ status }) => status.state.type === 'waiting' && status.last === undefined))
    return 'Pending';
  if (!ordinary.every((each) => isOver(each, restartPolicy))) return 'Running';
  return exitPhase(ordinary);
}

/** K12: a pod whose containers are gone for good is one that succeeded or one that failed. */
export function lastPhase(actors: readonly Actor[]): PodPhase {
  return exitPhase(actors.filter(isOrdinary));
}

const exitPhase = (ordinary: readonly Actor[]): PodPhase =>
  ordinary.every(({ status: { state } }) => state.type === 'ended' && state.ended.exitCode === 0)
    ? 'Succeeded'
    : 'Failed';
