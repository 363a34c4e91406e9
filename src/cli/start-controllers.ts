import type { Controller } from '#loop/controller.ts';
import { startCrew, type Crew } from '#loop/crew.ts';
import type { SharedInformers } from '#loop/shared-informers.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { hookRunController } from '#hooks/controller/hook-run-controller.ts';
import { hookAsk } from '#hooks/controller/hook-ask.ts';
import { templateCheck } from '#hooks/controller/template-check.ts';
import { clusterController, machineController } from '#machines/controller/controllers.ts';
import { registrationController, type WithSurroundings } from '#registrations/controller/registration-controller.ts';
import { gameDeploymentController } from '#releases/controller/game-deployment-controller.ts';
import { gameStatefulSetController } from '#releases/controller/game-stateful-set-controller.ts';

/** Boathook's own controllers, by the names under which they are switched on. */
const makers = {
  hookrun: (deps: ControlDeps) => hookRunController(deps, hookAsk(deps)),
  hooktemplate: templateCheck,
  gamedeployment: gameDeploymentController,
  gamestatefulset: gameStatefulSetController,
  crdregistration: registrationController,
  cluster: clusterController,
  machine: machineController,
} as const satisfies Readonly<Record<string, (deps: ControlDeps & WithSurroundings) => Controller>>;

export type ControlName = keyof typeof makers;
export const controlNames = Object.keys(makers) as readonly ControlName[];

export type StartControlDeps = Omit<ControlDeps, 'informers' | 'recorder'> &
  WithSurroundings & {
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
