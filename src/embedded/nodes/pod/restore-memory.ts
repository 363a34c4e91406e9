import { instant, type Instant } from '#base/time.ts';
import type { Settings } from '#embedded/nodes/tuning/script.ts';
import { healthyAfter } from './back-off.ts';
import type { ContainerStatus, Ended } from './container-status.ts';
import type { ContainerMemory, ContainerStage } from './container-context.ts';

const stepOfReason: Readonly<Record<string, ContainerStage>> = {
  ErrImagePull: 'pull-failed',
  ImagePullBackOff: 'pull-back-off',
  InvalidImageName: 'bad-name',
  CrashLoopBackOff: 'back-off',
};

/** The memory of a container after a restart of this process, derived from its status. */
export function restoreMemory(status: ContainerStatus, settings: Settings, now: Instant): ContainerMemory {
  const { state, restartCount } = status;
  const healthy = healthyAfter * settings.timeScale;
  const memory = { startedAt: now, pulls: 0, base: 0, tallies: {}, stop: undefined };
  switch (state.type) {
    case 'running': {
      const base = now - state.startedAt >= healthy ? restartCount : 0;
      return { ...memory, step: 'running', since: state.startedAt, startedAt: state.startedAt, base };
    }
    case 'ended': {
      const base = runOf(state.ended) >= healthy ? restartCount : 0;
      return { ...memory, step: 'ended', since: endOf(state.ended, now), base };
    }
    case 'waiting':
      return { ...memory, ...recallWait(status, state.reason, healthy, now) };
  }
}

function recallWait(
  { last, restartCount }: ContainerStatus,
  reason: string,
  healthy: number,
  now: Instant,
): Pick<ContainerMemory, 'step' | 'since' | 'base' | 'pulls'> {
  const step = stepOfReason[reason] ?? 'waiting';
  const base = last !== undefined && runOf(last) >= healthy ? restartCount : 0;
  const since = step === 'back-off' && last !== undefined ? endOf(last, now) : now;
  return { step, since, base, pulls: step === 'pull-failed' || step === 'pull-back-off' ? 1 : 0 };
}

const runOf = ({ startedAt, finishedAt }: Ended): number => (finishedAt ?? 0) - (startedAt ?? 0);

/** A clock that was set back must not delay a container for ever. */
const endOf = ({ finishedAt }: Ended, now: Instant): Instant => instant(Math.min(finishedAt ?? now, now));

/** Whether the memory still fits the status. */
export function matchesStatus(memory: ContainerMemory, status: ContainerStatus): boolean {
  switch (status.state.type) {
    case 'running':
      return memory.step === 'running' || memory.step === 'stopping' || memory.step === 'signalled';
    case 'ended':
      return ['ended', 'waiting', 'pulling', 'starting'].includes(memory.step);
    case 'waiting':
      return !['running', 'stopping', 'signalled', 'ended'].includes(memory.step);
  }
}
