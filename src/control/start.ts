import type { Controller } from '#loop/controller.ts';
import { createEventRecorder, type EventRecorder } from '#loop/event-recorder.ts';
import { shareInformers, type SharedInformers } from '#loop/shared-informers.ts';
import type { ControlDeps } from './control-deps.ts';
import { hookRunController } from './hook/hook-run-controller.ts';
import { hookAsk } from './hook/hook-ask.ts';
import { templateCheck } from './hook/template-check.ts';
import { gameDeploymentController } from './workload/game-deployment-controller.ts';
import { gameStatefulSetController } from './workload/game-stateful-set-controller.ts';

/** Boathook's own controllers, by the names under which they are switched on. */
const makers = {
  hookrun: (deps: ControlDeps) => hookRunController(deps, hookAsk(deps)),
  hooktemplate: templateCheck,
  gamedeployment: gameDeploymentController,
  gamestatefulset: gameStatefulSetController,
} as const satisfies Readonly<Record<string, (deps: ControlDeps) => Controller>>;

export type ControlName = keyof typeof makers;
export const controlNames = Object.keys(makers) as readonly ControlName[];

export type StartControlDeps = Omit<ControlDeps, 'informers' | 'recorder'> & {
  readonly names: ReadonlySet<ControlName>;
  /** Informers shared with others; whoever made them runs them. */
  readonly informers?: SharedInformers | undefined;
};

export type Control = {
  /** Settles when everything there was at the start has been looked at. */
  readonly synced: Promise<void>;
  /** Settles when nothing is queued and every event was told; calls may be on their way. */
  idle(): Promise<void>;
  /** Stops all work, gives up calls on their way, and waits for what runs. */
  close(): Promise<void>;
};

/** Starts the named controllers. They see the cluster through the client alone. */
export function startControl(given: StartControlDeps): Control {
  const { client, clock, random, tasks, report, names } = given;
  const stop = new AbortController();
  const informers =
    given.informers ?? shareInformers({ client, clock, random, report, dropManagedFields: true });
  const recorders = new Map<string, EventRecorder>();
  const recorder = (component: string): EventRecorder => {
    const known =
      recorders.get(component) ?? createEventRecorder({ client, clock, random, tasks, report, component });
    recorders.set(component, known);
    return known;
  };
  const deps: ControlDeps = { ...given, informers, recorder };
  const controllers = controlNames.filter((name) => names.has(name)).map((name) => makers[name](deps));
  const running = given.informers === undefined ? informers.run(stop.signal) : Promise.resolve();
  const idle = async (): Promise<void> => {
    await Promise.all(controllers.map((controller) => controller.idle()));
    await Promise.all([...recorders.values()].map((each) => each.idle()));
  };
  return {
    synced: Promise.all(controllers.map((controller) => controller.idle())).then(() => undefined),
    idle,
    async close() {
      await Promise.all(controllers.map((controller) => controller.close()));
      await Promise.all([...recorders.values()].map((each) => each.close()));
      stop.abort();
      await running.catch(() => undefined);
    },
  };
}
