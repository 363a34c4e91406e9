import type { JsonObject } from '#base/json.ts';
import type { InCluster } from '#command/in-cluster.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { KubeObject } from '#kube/object.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { explainWorkload } from '#releases/cli/explain-workload.ts';
import { releaseVerbs } from '#releases/decide/act-plan/act-plan.ts';
import { planAct } from '#releases/decide/act-plan/plan-act.ts';
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
  readonly explain: () => Promise<Explanation>;
};

export type ExplainWorldParts = {
  readonly spec: JsonObject;
  /** Of the metric of the hook `age`; null: the HookTemplate does not exist. */
  readonly metric?: JsonObject | null;
  /** What happens to the requests of the controller. */
  readonly around?: (direct: Transport) => Transport;
};

/** The first revision is complete. */
export async function openExplainWorld({
  spec,
  metric = {},
  around,
}: ExplainWorldParts): Promise<ExplainWorld> {
  const world = await openGameWorld();
  await world.control(around && { around });
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

/** Commands of `boathook release` in an explanation whose act would be refused now, or would change nothing. */
export const uselessActs = (
  { remedies, workload: title }: Explanation,
  workload: KubeObject,
): readonly string[] =>
  remedies.flatMap(({ command = '' }) => {
    const verb = releaseVerbs.find((each) => command.startsWith(`boathook release ${each} `));
    if (verb === undefined) return [];
    const toStep = command.includes('--full') ? 'full' : undefined;
    const skipHooks = command.includes('--skip-hook') ? true : undefined;
    const plan = planAct(verb, workload, { title, toStep, skipHooks });
    return plan.type === 'write' ? [] : [`${command}: ${plan.type}`];
  });
