import { textAt } from '#base/json.ts';
import type { ContainerStatus } from './container-status.ts';
import type { ContainerMemory, DesiredState } from './moment.ts';
import type { ContainerSpec, KubeletPod } from './pod-view.ts';
import { isTerminal } from './phase-name.ts';
import { restarts } from './restart-policy.ts';

/** A container with its state while a pod is played. */
export type Actor = {
  readonly container: ContainerSpec;
  readonly status: ContainerStatus;
  readonly memory: ContainerMemory;
};

export const isAlive = ({ memory }: Actor): boolean =>
  memory.step === 'running' || memory.step === 'stopping' || memory.step === 'signalled';

/** Ended, and its policy does not start it again. */
export const isOver = ({ container, status, memory }: Actor, policy: string): boolean =>
  memory.step === 'ended' &&
  status.state.type === 'ended' &&
  !restarts(container.kind, policy, status.state.ended.exitCode);

const exitCodeOf = ({ status }: Actor): number | undefined =>
  status.state.type === 'ended' ? status.state.ended.exitCode : undefined;

/** An init container that has ended well, or a sidecar that has started. */
export function isInitialized(actor: Actor): boolean {
  if (actor.container.kind === 'sidecar') return actor.status.started || actor.status.restartCount > 0;
  return exitCodeOf(actor) === 0;
}

export const isInit = ({ container }: Actor): boolean =>
  container.kind === 'init' || container.kind === 'sidecar';
export const isOrdinary = ({ container }: Actor): boolean => container.kind === 'ordinary';

/** An init container failed and nobody will try again. */
export const hasFailedInit = (actors: readonly Actor[], policy: string): boolean =>
  actors.some((each) => each.container.kind === 'init' && isOver(each, policy) && exitCodeOf(each) !== 0);

/** K11, K12: what every container should do now, in the order of the pod's containers. */
export function wishesOf(
  view: KubeletPod,
  actors: readonly Actor[],
  isFailing: boolean,
): readonly DesiredState[] {
  const { restartPolicy } = view;
  // Whoever wrote that a pod is over: nothing of it begins again.
  const isOverall = isTerminal(textAt(view.status, 'phase'));
  if (view.deletion !== undefined || isFailing || isOverall) return ending(actors);
  const ordinary = actors.filter(isOrdinary);
  const isDone = ordinary.length > 0 && ordinary.every((each) => isOver(each, restartPolicy));
  if (isDone || hasFailedInit(actors, restartPolicy)) return ending(actors);
  return beginning(actors);
}

/** Init containers one after the other, then all the others. */
function beginning(actors: readonly Actor[]): readonly DesiredState[] {
  let isOpen = true;
  const hasBegun = actors.some((each) => isOrdinary(each) && each.status.containerId !== '');
  return actors.map((actor) => {
    const wish: DesiredState = isOpen || hasBegun ? 'run' : 'hold';
    if (isInit(actor) && !isInitialized(actor)) isOpen = false;
    return wish;
  });
}

/** Sidecars outlive the containers they serve, and end in the reverse of their order. */
function ending(actors: readonly Actor[]): readonly DesiredState[] {
  return actors.map((actor, index) => {
    if (actor.container.kind !== 'sidecar') return 'stop';
    const outlives = actors.some(
      (other, at) => isAlive(other) && (!isInit(other) || (other.container.kind === 'sidecar' && at > index)),
    );
    return outlives ? 'hold' : 'stop';
  });
}
