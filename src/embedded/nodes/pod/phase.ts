import {
  hasFailedInit,
  isInit,
  isInitialized,
  isOrdinary,
  isOver,
  type SimulatedContainer,
} from './simulated-container.ts';
import type { PodPhase } from './pod-phase.ts';
import type { KubeletPod } from './kubelet-pod.ts';

/** The phase that follows from the containers' states. */
export function phaseOf({ restartPolicy }: KubeletPod, containers: readonly SimulatedContainer[]): PodPhase {
  if (hasFailedInit(containers, restartPolicy)) return 'Failed';
  const ordinary = containers.filter(isOrdinary);
  const hasBegun = ordinary.some(({ status }) => status.containerId !== '');
  if (!hasBegun && containers.some((each) => isInit(each) && !isInitialized(each))) return 'Pending';
  if (ordinary.some(({ status }) => status.state.type === 'waiting' && status.last === undefined))
    return 'Pending';
  if (!ordinary.every((each) => isOver(each, restartPolicy))) return 'Running';
  return exitPhase(ordinary);
}

/** The phase of a pod whose containers will not start again: Succeeded or Failed. */
export function lastPhase(containers: readonly SimulatedContainer[]): PodPhase {
  return exitPhase(containers.filter(isOrdinary));
}

const exitPhase = (ordinary: readonly SimulatedContainer[]): PodPhase =>
  ordinary.every(({ status: { state } }) => state.type === 'ended' && state.ended.exitCode === 0)
    ? 'Succeeded'
    : 'Failed';
