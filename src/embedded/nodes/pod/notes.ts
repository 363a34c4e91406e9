import type { PodEvent } from './moment.ts';

const note = (
  type: PodEvent['type'],
  reason: string,
  routine: boolean,
): ((message: string, container: string) => PodEvent) => {
  return (message, container) => ({ type, reason, message, routine, container });
};

/** K17: what is told, with the reasons people search for. */
export const pulling = note('Normal', 'Pulling', true);
export const pulled = note('Normal', 'Pulled', true);
export const created = note('Normal', 'Created', true);
export const started = note('Normal', 'Started', true);
export const killing = note('Normal', 'Killing', false);
export const backOffPull = note('Normal', 'BackOff', false);
export const backOffRestart = note('Warning', 'BackOff', false);
export const failed = note('Warning', 'Failed', false);
export const inspectFailed = note('Warning', 'InspectFailed', false);
export const unhealthy = note('Warning', 'Unhealthy', false);
export const failedPreStop = note('Warning', 'FailedPreStopHook', false);

const hookReasons = { postStart: 'PostStartHook', preStop: 'PreStopHook' } as const;

/** K13: a real kubelet tells only of hooks that fail; here they are to be seen. */
export function hookNote(hook: 'postStart' | 'preStop', container: string): PodEvent {
  const message = `Running the ${hook} hook of container ${container}`;
  return { type: 'Normal', reason: hookReasons[hook], message, routine: true, container };
}
