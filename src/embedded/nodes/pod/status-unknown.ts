import type { SimulatedContainer } from './simulated-container.ts';

/** The status of a container that waited for its next run when its pod was deleted. */
export function statusUnknown(one: SimulatedContainer): SimulatedContainer {
  const { container, status } = one;
  if (status.state.type !== 'waiting' || status.containerId === '' || container.kind === 'init') return one;
  const ended = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
    startedAt: undefined,
    finishedAt: undefined,
    containerId: '',
  };
  return { ...one, status: { ...status, ready: false, started: false, state: { type: 'ended', ended } } };
}
