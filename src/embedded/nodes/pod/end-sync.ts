import { equalJson, textAt } from '#base/json.ts';
import { instant, type Instant } from '#base/time.ts';
import { isAlive, type SimulatedContainer } from './simulated-container.ts';
import { isTerminal, type PodPhase } from './pod-phase.ts';
import { lastPhase, phaseOf } from './phase.ts';
import { podStatus } from './pod-status.ts';
import type { PodSync } from './pod-sync.ts';
import type { PodSyncResult } from './sync-result.ts';
import { statusUnknown } from './status-unknown.ts';

/** The result of all transitions of this sync. */
export function endSync(sync: PodSync, stageAt: Instant | undefined): PodSyncResult {
  const { input, failure, deadline } = sync;
  const { view, host, now } = input;
  const isGone = view.deletion !== undefined && !sync.containers.some(isAlive);
  const containers = isGone ? sync.containers.map(statusUnknown) : sync.containers;
  const phase = finalPhase(sync, containers, isGone);
  const hasSandbox = host.podIp !== '' && !isGone && !(isTerminal(phase) && !containers.some(isAlive));
  const status = podStatus({ view, containers, phase, hasSandbox, now }, host, failure ?? {});
  const wakes = [stageAt, deadline].filter((each) => each !== undefined);
  return {
    status: equalJson(status, view.status) ? undefined : status,
    remove: isGone && view.deletion.graceSeconds > 0,
    ...sync.output,
    wakeAt: isGone || wakes.length === 0 ? undefined : instant(Math.min(...wakes)),
    state: Object.fromEntries(containers.map(({ container, memory }) => [container.name, memory])),
  };
}

/** A terminal phase never changes. */
function finalPhase(
  { input: { view }, failure }: PodSync,
  containers: readonly SimulatedContainer[],
  isGone: boolean,
): PodPhase {
  const before = textAt(view.status, 'phase');
  if (before === 'Succeeded' || before === 'Failed') return before;
  if (failure !== undefined) return 'Failed';
  if (isGone) return lastPhase(containers);
  const phase = phaseOf(view, containers);
  // Sidecars still have to end.
  const isOpen = isTerminal(phase) && containers.some(isAlive);
  if (isOpen) return 'Running';
  return before === 'Running' && phase === 'Pending' ? 'Running' : phase;
}
