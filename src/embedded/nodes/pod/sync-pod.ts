import { later, millis, type Instant } from '#base/time.ts';
import { endSync } from './end-sync.ts';
import { desiredStates, type SimulatedContainer } from './simulated-container.ts';
import type { ContainerContext, StageTransition } from './container-context.ts';
import { beginSync, type PodSync } from './pod-sync.ts';
import { stagesAt } from './stages.ts';
import type { PodSyncInput, PodSyncResult } from './sync-result.ts';
import { scriptOf, type ContainerScript } from '#embedded/nodes/tuning/script.ts';

/** Limit of transitions in one sync; the rest follows in the next sync. */
const mostSteps = 200;

/** Syncs a pod up to now: transition after transition, until nothing more is due. */
export function syncPod(input: PodSyncInput): PodSyncResult {
  const sync = beginSync(input);
  let wakeAt: Instant | undefined;
  for (let steps = 0; ; steps += 1) {
    const next = nextStage(sync);
    wakeAt = next?.due;
    if (next === undefined || next.due > input.now) break;
    if (steps >= mostSteps) {
      wakeAt = later(input.now, millis(1));
      break;
    }
    const change = next.stage.effect(next.context);
    sync.apply(next.index, next.stage.name, change);
    if (change.shown === true) {
      wakeAt = input.now;
      break;
    }
  }
  return endSync(sync, wakeAt);
}

type Next = {
  readonly index: number;
  readonly stage: StageTransition;
  readonly context: ContainerContext;
  readonly due: Instant;
};

/** The transition that is due first; of several the first container's first one. */
function nextStage(sync: PodSync): Next | undefined {
  const { input, containers, failure } = sync;
  const desiredAll = desiredStates(input.view, containers, failure !== undefined);
  let next: Next | undefined;
  containers.forEach((one, index) => {
    const { view, host, settings, now } = input;
    const script = scriptFor(sync, one, index);
    const context = { now, view, host, settings, script, ...one, desired: desiredAll[index] ?? 'hold' };
    for (const stage of stagesAt(one.memory.step)) {
      if (!stage.given(context)) continue;
      const due = stage.due(context);
      if (due === undefined) continue;
      if (next === undefined || Math.max(due, now) < Math.max(next.due, now))
        next = { index, stage, context, due };
    }
  });
  return next;
}

function scriptFor(sync: PodSync, { container, status }: SimulatedContainer, index: number): ContainerScript {
  const known = sync.scripts[index];
  if (known?.of === status.restartCount) return known;
  const { view, settings } = sync.input;
  const role = {
    pod: `${view.namespace}/${view.name}`,
    container: container.name,
    kind: container.kind,
    ofJob: view.ofJob,
    restartCount: status.restartCount,
  };
  const script = { ...scriptOf(settings, sync.texts, role), of: status.restartCount };
  sync.scripts[index] = script;
  return script;
}
