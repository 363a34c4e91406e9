import type { PodEvent } from './container-context.ts';

const event = (
  type: PodEvent['type'],
  reason: string,
  routine: boolean,
): ((message: string, container: string) => PodEvent) => {
  return (message, container) => ({ type, reason, message, routine, container });
};

/** Events with the reasons of a real kubelet. */
export const pulling = event('Normal', 'Pulling', true);
export const pulled = event('Normal', 'Pulled', true);
export const created = event('Normal', 'Created', true);
export const started = event('Normal', 'Started', true);
export const killing = event('Normal', 'Killing', false);
export const backOffPull = event('Normal', 'BackOff', false);
export const backOffRestart = event('Warning', 'BackOff', false);
export const failed = event('Warning', 'Failed', false);
export const inspectFailed = event('Warning', 'InspectFailed', false);
export const unhealthy = event('Warning', 'Unhealthy', false);
export const failedPreStop = event('Warning', 'FailedPreStopHook', false);

const hookReasons = { postStart: 'PostStartHook', preStop: 'PreStopHook' } as const;

/** A real kubelet records only hooks that fail; here every hook is recorded. */
export function hookEvent(hook: 'postStart' | 'preStop', container: string): PodEvent {
  const message = `Running the ${hook} hook of container ${container}`;
  return { type: 'Normal', reason: hookReasons[hook], message, routine: true, container };
}
