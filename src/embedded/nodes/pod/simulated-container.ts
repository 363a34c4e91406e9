import { textAt } from '#base/json.ts';
import type { ContainerStatus } from './container-status.ts';
import type { ContainerMemory, DesiredState } from './container-context.ts';
import type { ContainerSpec, KubeletPod } from './kubelet-pod.ts';
import { isTerminal } from './pod-phase.ts';
import { restarts } from './restart-policy.ts';

/** A container with its status and memory during a sync. */
export type SimulatedContainer = {
  readonly container: ContainerSpec;
  readonly status: ContainerStatus;
  readonly memory: ContainerMemory;
};

export const isAlive = ({ memory }: SimulatedContainer): boolean =>
  memory.step === 'running' || memory.step === 'stopping' || memory.step === 'signalled';

/** Ended, and its policy does not start it again. */
export const isOver = ({ container, status, memory }: SimulatedContainer, policy: string): boolean =>
  memory.step === 'ended' &&
  status.state.type === 'ended' &&
  !restarts(container.kind, policy, status.state.ended.exitCode);

const exitCodeOf = ({ status }: SimulatedContainer): number | undefined =>
  status.state.type === 'ended' ? status.state.ended.exitCode : undefined;

/** An init container that has ended well, or a sidecar that has started. */
export function isInitialized(one: SimulatedContainer): boolean {
  if (one.container.kind === 'sidecar') return one.status.started || one.status.restartCount > 0;
  return exitCodeOf(one) === 0;
}

export const isInit = ({ container }: SimulatedContainer): boolean =>
  container.kind === 'init' || container.kind === 'sidecar';
export const isOrdinary = ({ container }: SimulatedContainer): boolean => container.kind === 'ordinary';

/** An init container failed and will not be retried. */
export const hasFailedInit = (containers: readonly SimulatedContainer[], policy: string): boolean =>
  containers.some((each) => each.container.kind === 'init' && isOver(each, policy) && exitCodeOf(each) !== 0);

/** The desired state of every container, in the order of the pod's containers. */
export function desiredStates(
  view: KubeletPod,
  containers: readonly SimulatedContainer[],
  isFailing: boolean,
): readonly DesiredState[] {
  const { restartPolicy } = view;
  // Another writer set a terminal phase: nothing starts again.
  const isOverall = isTerminal(textAt(view.status, 'phase'));
  if (view.deletion !== undefined || isFailing || isOverall) return ending(containers);
  const ordinary = containers.filter(isOrdinary);
  const isDone = ordinary.length > 0 && ordinary.every((each) => isOver(each, restartPolicy));
  if (isDone || hasFailedInit(containers, restartPolicy)) return ending(containers);
  return beginning(containers);
}

/** Init containers one after the other, then all the others. */
function beginning(containers: readonly SimulatedContainer[]): readonly DesiredState[] {
  let isOpen = true;
  const hasBegun = containers.some((each) => isOrdinary(each) && each.status.containerId !== '');
  return containers.map((one) => {
    const desired: DesiredState = isOpen || hasBegun ? 'run' : 'hold';
    if (isInit(one) && !isInitialized(one)) isOpen = false;
    return desired;
  });
}

/** Sidecars outlive the containers they serve, and end in the reverse of their order. */
function ending(containers: readonly SimulatedContainer[]): readonly DesiredState[] {
  return containers.map((one, index) => {
    if (one.container.kind !== 'sidecar') return 'stop';
    const outlives = containers.some(
      (other, at) => isAlive(other) && (!isInit(other) || (other.container.kind === 'sidecar' && at > index)),
    );
    return outlives ? 'hold' : 'stop';
  });
}
