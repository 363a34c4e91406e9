import { later, millis, type Instant } from '#base/time.ts';
import { closeScene } from './close-scene.ts';
import { wishesOf, type Actor } from './cast.ts';
import type { ContainerContext, StageTransition } from './moment.ts';
import { openScene, type Scene } from './scene.ts';
import { stagesAt } from './stages.ts';
import type { PodSyncInput, PodSyncResult } from './turn.ts';
import { scriptOf, type ContainerScript } from '#embedded/nodes/tuning/script.ts';

/** No pod needs more steps at one moment; whoever does goes on a moment later. */
const mostSteps = 200;

/** Plays a pod up to now: row after row of the table of stages, until nothing more is due. */
export function play(input: PodSyncInput): PodSyncResult {
  const scene = openScene(input);
  let wakeAt: Instant | undefined;
  for (let steps = 0; ; steps += 1) {
    const next = nextStage(scene);
    wakeAt = next?.due;
    if (next === undefined || next.due > input.now) break;
    if (steps >= mostSteps) {
      wakeAt = later(input.now, millis(1));
      break;
    }
    const change = next.stage.effect(next.moment);
    scene.apply(next.index, next.stage.name, change);
    if (change.shown === true) {
      wakeAt = input.now;
      break;
    }
  }
  return closeScene(scene, wakeAt);
}

type Next = {
  readonly index: number;
  readonly stage: StageTransition;
  readonly moment: ContainerContext;
  readonly due: Instant;
};

/** The stage that is due first; of those due together the first container's first row. */
function nextStage(scene: Scene): Next | undefined {
  const { input, actors, failure } = scene;
  const wishes = wishesOf(input.view, actors, failure !== undefined);
  let next: Next | undefined;
  actors.forEach((actor, index) => {
    const { view, host, settings, now } = input;
    const script = scriptFor(scene, actor, index);
    const moment = { now, view, host, settings, script, ...actor, wish: wishes[index] ?? 'hold' };
    for (const stage of stagesAt(actor.memory.step)) {
      if (!stage.given(moment)) continue;
      const due = stage.due(moment);
      if (due === undefined) continue;
      if (next === undefined || Math.max(due, now) < Math.max(next.due, now))
        next = { index, stage, moment, due };
    }
  });
  return next;
}

function scriptFor(scene: Scene, { container, status }: Actor, index: number): ContainerScript {
  const known = scene.scripts[index];
  if (known?.of === status.restartCount) return known;
  const { view, settings } = scene.input;
  const role = {
    pod: `${view.namespace}/${view.name}`,
    container: container.name,
    kind: container.kind,
    ofJob: view.ofJob,
    restartCount: status.restartCount,
  };
  const script = { ...scriptOf(settings, scene.texts, role), of: status.restartCount };
  scene.scripts[index] = script;
  return script;
}
