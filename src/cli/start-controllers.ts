import type { Controller } from '#loop/controller.ts';
import { startCrew, type Crew } from '#loop/crew.ts';
import type { SharedInformers } from '#loop/shared-informers.ts';
import { controlClients } from '#command/control-clients.ts';
import { measuredTransport } from '#edge/kube/measured-transport.ts';
import type { EmbeddedParts } from '#embedded/start.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { hookRunController } from '#hooks/controller/hook-run-controller.ts';
import { askInCluster, type WithScripts } from '#hooks/controller/ask-provider.ts';
import { templateCheck } from '#hooks/controller/template-check.ts';
import { clusterController, machineController } from '#machines/controller/controllers.ts';
import type { WithMachines } from '#machines/controller/machine-doors.ts';
import { runScript } from '#machines/controller/run-script.ts';
import {
  registrationController,
  type WithEnvironment,
} from '#registrations/controller/registration-controller.ts';
import { gameDeploymentController } from '#releases/controller/game-deployment-controller.ts';
import { gameStatefulSetController } from '#releases/controller/game-stateful-set-controller.ts';

type AllDeps = ControlDeps & WithMachines & WithEnvironment;

function scripts(deps: ControlDeps & WithMachines): WithScripts {
  const { machines } = deps;
  return machines === undefined
    ? {}
    : { runScript: (script, stops) => runScript(deps, machines, script, stops) };
}

/** Boathook's own controllers, by the names under which they are switched on. */
const makers = {
  hookrun: (deps: ControlDeps & WithMachines) =>
    hookRunController(deps, askInCluster({ ...deps, ...scripts(deps) })),
  hooktemplate: templateCheck,
  gamedeployment: gameDeploymentController,
  gamestatefulset: gameStatefulSetController,
  crdregistration: registrationController,
  cluster: clusterController,
  machine: machineController,
} as const satisfies Readonly<Record<string, (deps: AllDeps) => Controller>>;

export type ControlName = keyof typeof makers;
export const controlNames = Object.keys(makers) as readonly ControlName[];

export type StartControlDeps = Omit<ControlDeps, 'informers' | 'recorder'> &
  WithMachines &
  WithEnvironment & {
    readonly names: ReadonlySet<ControlName>;
    /** Informers shared with others; whoever made them runs them. */
    readonly informers?: SharedInformers | undefined;
  };

/** The controllers at work. */
export type Control = Crew;

/** Starts the named controllers. They see the cluster through the client alone. */
export const startControl = (given: StartControlDeps): Crew =>
  startCrew(given, (parts) =>
    controlNames.filter((name) => given.names.has(name)).map((name) => makers[name]({ ...given, ...parts })),
  );

/** The controllers, and how they reach hook services and machines. */
export type ControlOptions = Pick<
  StartControlDeps,
  'names' | 'outgoing' | 'hmac' | 'machines' | 'metrics' | 'minHookInterval'
>;

/** Starts the named controllers on an embedded server. */
export const controlOn =
  (options: ControlOptions) =>
  ({ transport, ...parts }: EmbeddedParts): Control | undefined => {
    if (options.names.size === 0) return undefined;
    const { metrics } = options;
    const measured = metrics === undefined ? transport : measuredTransport(transport, metrics);
    return startControl({ ...controlClients(measured, parts.clock), ...options, ...parts });
  };
