import { at, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { actAnnotation, actTargetOf, printAct, type ActVerb, type ReleaseAct } from '#releases/model/act.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from './game-world.ts';

export const hook = { hook: { templateName: 'age' } };

/** A workload whose second revision is on its way through the steps. */
export async function releasing(
  steps: readonly Json[],
  strategy: JsonObject = {},
  spec: JsonObject = {},
): Promise<GameWorld> {
  const world = await openGameWorld();
  await world.control();
  await make(world, templates, hookTemplate());
  const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 2, canary: { steps }, ...strategy };
  await make(world, gameDeployments, gameDeployment({ replicas: 4, updateStrategy, ...spec }));
  await world.until(isComplete);
  await world.patch(image('2'));
  return world;
}

export type ActParts = Partial<Omit<ReleaseAct, 'verb' | 'target'>>;

let requests = 0;

/** A request that is meant for the state in the status of a workload. */
export const actFor = (workload: KubeObject, verb: ActVerb, parts: ActParts = {}): ReleaseAct => ({
  id: `request-${(requests += 1)}`,
  verb,
  target: actTargetOf(workload),
  by: 'alice',
  time: '2026-01-05T12:00:00Z',
  ...parts,
});

/** The merge patch by which a command writes a request. */
export const actPatch = (workload: KubeObject, act: ReleaseAct): JsonObject => ({
  metadata: {
    resourceVersion: resourceVersionOf(workload),
    annotations: { [actAnnotation]: printAct(act) },
  },
});

/** Writes a request as a command does, and lets the controller decide it. */
export async function act(world: GameWorld, verb: ActVerb, parts: ActParts = {}): Promise<KubeObject> {
  const workload = await world.workload();
  const request = actFor(workload, verb, parts);
  await world.patch(actPatch(workload, request));
  return world.until((each) => lastAct(each)['id'] === request.id);
}

export const lastAct = (workload: KubeObject): JsonObject =>
  (at(workload, 'status', 'canary', 'lastAct') ?? {}) as JsonObject;

export const recordsOf = (workload: KubeObject): readonly JsonObject[] =>
  listAt(workload, 'status', 'history') as readonly JsonObject[];

export const stepOf = (workload: KubeObject): number | undefined =>
  numberAt(workload, 'status', 'currentStepIndex');

export const pauseOf = (workload: KubeObject): string | undefined =>
  textAt(listAt(workload, 'status', 'pauseConditions')[0], 'reason');

export const isPausedAt =
  (step: number) =>
  (workload: KubeObject): boolean =>
    stepOf(workload) === step && textAt(workload, 'status', 'phase') === 'Paused';

const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };

/** Messages of the events with a reason. */
export async function eventsOf(world: GameWorld, reason: string): Promise<readonly string[]> {
  const listed = await world.client.list(events, { namespace: 'default' }, never);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return listed.items
    .filter((event) => textAt(event, 'reason') === reason)
    .map((event) => textAt(event, 'message') ?? '');
}
