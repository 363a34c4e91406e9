import { listAt } from '#base/json.ts';
import { processMetrics } from '#command/process-metrics.ts';
import { controlClients } from '#command/control-clients.ts';
import { measuredTransport } from '#edge/kube/measured-transport.ts';
import type { EmbeddedParts } from '#embedded/start.ts';
import { leanRun } from '#hooks/decide/run-object.ts';
import { hookRuns, hookTemplates, resourceOf } from '#hooks/kinds/resources.ts';
import type { WithScripts } from '#hooks/controller/ask-provider.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { Controller } from '#loop/controller.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Delta } from '#loop/delta.ts';
import { startControllerSet, type ControllerSet } from '#loop/controller-set.ts';
import { lateController, type LateTrigger } from '#loop/late-controller.ts';
import { pods } from '#loop/owned/resources.ts';
import type { Decoder } from '#loop/decoder.ts';
import type { Informer } from '#loop/informer.ts';
import type { KeepsObject, SharedInformers } from '#loop/shared-informers.ts';
import type { WithMachines } from '#machines/controller/machine-io.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';
import type { WithLastCalls } from '#registrations/controller/last-calls.ts';
import type { WithEnvironment } from '#registrations/controller/registration-controller.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { preDeleteFinalizer } from '#releases/model/well-known.ts';
import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { gameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { WithLogs } from './control-logs.ts';
import { controlNames, type ControlName } from './install/control-names.ts';

type AllDeps = ControlDeps & WithMachines & WithEnvironment & WithLastCalls & WithLogs;
type Maker = (deps: AllDeps) => Controller;

/** One of Boathook's controllers: the objects that it reconciles, and how its code is loaded. */
type Entry = {
  readonly resource: Resource;
  readonly decode?: Decoder<KubeObject>;
  /** Whether it also removes the finalizer of pods whose workload is gone. */
  readonly releasesPods?: boolean;
  /** Whether its objects have logs. */
  readonly hasLogs?: boolean;
  readonly load: () => Promise<Maker>;
};

const entries = {
  hookrun: {
    resource: hookRuns,
    decode: leanRun,
    load: async () => {
      const { hookRunController } = await import('#hooks/controller/hook-run-controller.ts');
      const { askInCluster } = await import('#hooks/controller/ask-provider.ts');
      return (deps) => hookRunController(deps, askInCluster({ ...deps, ...scripts(deps) }));
    },
  },
  hooktemplate: {
    resource: hookTemplates,
    load: async () => (await import('#hooks/controller/template-check.ts')).templateCheck,
  },
  gamedeployment: {
    resource: resourceOf(gameDeployment),
    releasesPods: true,
    load: async () =>
      (await import('#releases/controller/game-deployment-controller.ts')).gameDeploymentController,
  },
  gamestatefulset: {
    resource: resourceOf(gameStatefulSet),
    releasesPods: true,
    load: async () =>
      (await import('#releases/controller/game-stateful-set-controller.ts')).gameStatefulSetController,
  },
  crdregistration: {
    resource: resourceOf(crdRegistration),
    hasLogs: true,
    load: async () =>
      (await import('#registrations/controller/registration-controller.ts')).registrationController,
  },
  cluster: {
    resource: clusters,
    hasLogs: true,
    load: async () => (await import('#machines/controller/controllers.ts')).clusterController,
  },
  machine: {
    resource: machines,
    hasLogs: true,
    load: async () => (await import('#machines/controller/controllers.ts')).machineController,
  },
} as const satisfies Readonly<Record<ControlName, Entry>>;

function scripts(deps: ControlDeps & WithMachines): WithScripts {
  const { machines: io } = deps;
  if (io === undefined) return {};
  return {
    async runScript(script, stops) {
      const { runScript } = await import('#machines/controller/run-script.ts');
      return runScript(deps, io, script, stops);
    },
  };
}

/** The code of controllers that is loaded already. */
export type LoadedControllers = ReadonlyMap<ControlName, Maker>;

/** Loads the code of controllers at once, for tests on virtual time. */
export async function loadControllers(
  names: Iterable<ControlName> = controlNames,
): Promise<LoadedControllers> {
  return new Map(
    await Promise.all([...names].map(async (name) => [name, await entries[name].load()] as const)),
  );
}

export type StartControlDeps = Omit<ControlDeps, 'informers' | 'recorder'> &
  WithMachines &
  WithEnvironment &
  WithLastCalls &
  WithLogs & {
    readonly names: ReadonlySet<ControlName>;
    /** Shared informers; the caller runs them. */
    readonly informers?: SharedInformers | undefined;
    /** The only namespaces that the controllers use; undefined: all. */
    readonly namespaces?: readonly string[] | undefined;
    /** Whether informers keep an object; all are kept unless given. */
    readonly keeps?: KeepsObject | undefined;
    readonly streamsLists?: boolean | undefined;
    /** The code of the others is loaded with the first object that they reconcile. */
    readonly loaded?: LoadedControllers | undefined;
  };

/** The running controllers. */
export type Control = ControllerSet;

/** Starts the named controllers. */
export const startControl = (given: StartControlDeps): ControllerSet =>
  startControllerSet(given, (parts) =>
    controlNames
      .filter((name) => given.names.has(name))
      .map((name) => startOne(name, { ...given, ...parts }, given.loaded)),
  );

function startOne(name: ControlName, deps: AllDeps, loaded: LoadedControllers | undefined): Controller {
  const make = loaded?.get(name);
  const entry: Entry = entries[name];
  const begin = (maker: Maker): Controller => {
    if (entry.hasLogs === true) deps.logs?.begin(deps.client);
    return maker(deps);
  };
  if (make !== undefined) return begin(make);
  return lateController(triggersOf(entry, deps.informers), async () => begin(await entry.load()));
}

const objectsOf = ({ resource, decode }: Entry, informers: SharedInformers): Informer =>
  decode === undefined ? informers.informer({ resource }) : informers.informer({ resource, decode });

const triggersOf = (entry: Entry, informers: SharedInformers): readonly LateTrigger[] => [
  { informer: objectsOf(entry, informers) },
  ...(entry.releasesPods === true
    ? [
        {
          informer: informers.informer({ resource: pods }),
          needs: ({ object }: Delta) => listAt(object, 'metadata', 'finalizers').includes(preDeleteFinalizer),
        },
      ]
    : []),
];

/** The controllers, and how they reach hook services and machines. */
export type ControlOptions = Pick<
  StartControlDeps,
  'names' | 'outgoing' | 'hmac' | 'machines' | 'metrics' | 'minHookInterval' | 'loaded' | 'calls' | 'logs'
>;

/** Starts the named controllers on an embedded server. */
export const controlOn =
  (options: ControlOptions) =>
  ({ transport, ...parts }: EmbeddedParts): Control | undefined => {
    if (options.names.size === 0) return undefined;
    const { metrics } = options;
    metrics?.gauge(processMetrics.leader).set({}, 1);
    const measured = metrics === undefined ? transport : measuredTransport(transport, metrics, parts.clock);
    return startControl({ ...controlClients(measured, parts.clock), ...options, ...parts });
  };
