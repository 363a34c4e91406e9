import type { JsonObject } from '#base/json.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { explainWorkload } from '#releases/cli/explain-workload.ts';
import type { Explanation } from '#releases/decide/explain/explanation.ts';
import {
  gameDeployment,
  hookTemplate,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from './game-world.ts';

/** A workload in canary steps with a controller, and its explanation by requests. */
export type ExplainWorld = AsyncDisposable & {
  readonly world: GameWorld;
  explain(): Promise<Explanation>;
};

export type ExplainWorldParts = {
  readonly spec: JsonObject;
  /** Of the metric of the hook `age`; null: the HookTemplate does not exist. */
  readonly metric?: JsonObject | null;
};

/** The first revision is complete. */
export async function openExplainWorld({ spec, metric = {} }: ExplainWorldParts): Promise<ExplainWorld> {
  const world = await openGameWorld();
  await world.control();
  if (metric !== null) await make(world, templates, hookTemplate('age', metric));
  await make(world, gameDeployments, gameDeployment(spec));
  await world.until(isComplete);
  const cluster: InCluster = {
    client: world.client,
    namespace: 'default',
    signal: () => never,
    whole: never,
  };
  return {
    world,
    explain: () => explainWorkload(cluster, 'gd/g', { flags: '', clock: world.clock }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
