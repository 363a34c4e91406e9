import type { Actor } from './cast.ts';

/** A container that waited for another run when its pod was taken away (K12). */
export function unlocated(actor: Actor): Actor {
  const { container, status } = actor;
  if (status.state.type !== 'waiting' || status.containerId === '' || container.kind === 'init') return actor;
  const ended = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
    startedAt: undefined,
    finishedAt: undefined,
    containerId: '',
  };
  return { ...actor, status: { ...status, ready: false, started: false, state: { type: 'ended', ended } } };
}
