import { instant, type Instant } from '#base/time.ts';
import { healthyAfter } from './back-off.ts';
import type { Ended } from './container-status.ts';
import type { StageEffect, ContainerContext } from './container-context.ts';
import { mayShowEnd, restarts } from './restart-policy.ts';

/** The end of a run. Whether another follows is decided where it is due. */
export function finish(context: ContainerContext, exitCode: number, reason: string): StageEffect {
  const { container, status, memory, view, settings, desired, now } = context;
  const ended = endedOf(context, exitCode, reason);
  const logs = [`container ${container.name} ended with code ${exitCode} (${reason})`];
  const isReplaced = memory.stop === 'changed' && desired === 'run';
  const base =
    now - memory.startedAt >= healthyAfter * settings.timeScale ? status.restartCount : memory.base;
  if (isReplaced) {
    return { ...replaced(context, ended), logs };
  }
  return {
    status: {
      ready: container.kind === 'init' && exitCode === 0,
      started: false,
      state: { type: 'ended', ended },
    },
    memory: { step: 'ended', since: now, base },
    logs,
    shown: desired === 'run' && restarts(container.kind, view.restartPolicy, exitCode),
  };
}

/** Another image is another container: its back-off starts again. */
function replaced({ container, status, view, now }: ContainerContext, ended: Ended): StageEffect {
  const memory = { step: 'waiting', since: now, base: status.restartCount + 1, stop: undefined } as const;
  if (mayShowEnd(container.kind, view.restartPolicy)) {
    return { status: { ready: false, started: false, state: { type: 'ended', ended } }, memory, shown: true };
  }
  const state = { type: 'waiting', reason: 'ContainerCreating' } as const;
  return { status: { ready: false, started: false, state, last: ended }, memory, shown: true };
}

function endedOf({ status, memory, now }: ContainerContext, exitCode: number, reason: string): Ended {
  return {
    exitCode,
    reason,
    startedAt: startOf(status.state, memory.startedAt),
    finishedAt: instant(Math.max(now, memory.startedAt)),
    containerId: status.containerId,
  };
}

const startOf = (state: ContainerContext['status']['state'], remembered: Instant): Instant =>
  state.type === 'running' ? state.startedAt : remembered;
