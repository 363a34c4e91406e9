import { equalJson, textAt } from '#base/json.ts';
import { instant, type Instant } from '#base/time.ts';
import { isAlive, type Actor } from './cast.ts';
import { isTerminal, type PodPhase } from './phase-name.ts';
import { lastPhase, phaseOf } from './phase.ts';
import { podStatus } from './pod-status.ts';
import type { Scene } from './scene.ts';
import type { PodSyncResult } from './turn.ts';
import { unlocated } from './unlocated.ts';

/** What all the steps of this moment amount to. */
export function closeScene(scene: Scene, stageAt: Instant | undefined): PodSyncResult {
  const { input, failure, deadline } = scene;
  const { view, host, now } = input;
  const isGone = view.deletion !== undefined && !scene.actors.some(isAlive);
  const actors = isGone ? scene.actors.map(unlocated) : scene.actors;
  const phase = finalPhase(scene, actors, isGone);
  const hasSandbox = host.podIp !== '' && !isGone && !(isTerminal(phase) && !actors.some(isAlive));
  const status = podStatus({ view, actors, phase, hasSandbox, now }, host, failure ?? {});
  const wakes = [stageAt, deadline].filter((each) => each !== undefined);
  return {
    status: equalJson(status, view.status) ? undefined : status,
    remove: isGone && view.deletion.graceSeconds > 0,
    ...scene.told,
    wakeAt: isGone || wakes.length === 0 ? undefined : instant(Math.min(...wakes)),
    state: Object.fromEntries(actors.map(({ container, memory }) => [container.name, memory])),
  };
}

/** K2: what has ended for good never begins again. */
function finalPhase(
  { input: { view }, failure }: Scene,
  actors: readonly Actor[],
  isGone: boolean,
): PodPhase {
  const before = textAt(view.status, 'phase');
  if (before === 'Succeeded' || before === 'Failed') return before;
  if (failure !== undefined) return 'Failed';
  if (isGone) return lastPhase(actors);
  const phase = phaseOf(view, actors);
  // Sidecars still have to end.
  const isOpen = isTerminal(phase) && actors.some(isAlive);
  if (isOpen) return 'Running';
  return before === 'Running' && phase === 'Pending' ? 'Running' : phase;
}
