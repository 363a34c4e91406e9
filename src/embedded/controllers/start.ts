import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import { GarbageCollector } from './garbage/collector.ts';
import { NamespaceKeeper } from './keeper/namespace-keeper.ts';
import { defaultAccount, rootCertificateMap } from './keeper/wanted-object.ts';
import { NamespaceController } from './namespace/namespace-controller.ts';
import { StorageProtection } from './protection/storage-protection.ts';
import { startWorkloads, workloadNames, type WorkloadName } from './start-workloads.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { promisedTasks } from '#loop/promised-tasks.ts';
import type { SharedInformers } from '#loop/shared-informers.ts';
import type { Cluster } from './in-process/cluster.ts';
import type { Controller, ControllerDeps } from './in-process/controller.ts';
import type { Log } from './in-process/log.ts';

/** Controllers that look after objects of all kinds; they are told every change of the store. */
const caretakers = [
  'garbage-collector',
  'namespace',
  'serviceaccount',
  'root-ca-cert-publisher',
  'storage-protection',
] as const;
type Caretaker = (typeof caretakers)[number];

export type ControllerName = Caretaker | WorkloadName;
/** Every built-in controller, by the name under which it is switched on. */
export const controllerNames: readonly ControllerName[] = [...caretakers, ...workloadNames];

export type BuiltinDeps = {
  readonly cluster: Cluster;
  /** How the controllers of workloads reach the cluster, like anybody else. */
  readonly client: KubeClient;
  /** Informers of that client, shared with others; whoever made them runs them. */
  readonly informers?: SharedInformers;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks?: Tasks;
  readonly log?: Log;
  /** PEM text of the authority that signed the server's certificate. */
  readonly rootCa: string;
  readonly names: ReadonlySet<ControllerName>;
};

export type BuiltinControllers = {
  /** Stops all work and waits for what runs. */
  close(): Promise<void>;
  /** Settles when everything there was at the start has been looked at. */
  readonly synced: Promise<void>;
};

/** Starts the named controllers on a cluster that is ready to serve. */
export function startBuiltinControllers(given: BuiltinDeps): BuiltinControllers {
  const deps: ControllerDeps = {
    cluster: given.cluster,
    clock: given.clock,
    random: given.random,
    tasks: given.tasks ?? promisedTasks,
    log: given.log ?? (() => undefined),
  };
  const controllers = caretakers
    .filter((name) => given.names.has(name))
    .map((name) => makers[name](deps, given.rootCa));
  const unsubscribe = given.cluster.subscribe((changes) => {
    for (const change of changes) for (const controller of controllers) controller.observe(change);
  });
  for (const controller of controllers) controller.seed();
  const workloads = startWorkloads({
    ...deps,
    client: given.client,
    informers: given.informers,
    report: deps.log,
    names: given.names,
  });
  const looked = Promise.all([workloads.synced, ...controllers.map((controller) => controller.idle())]);
  return {
    synced: looked.then(() => undefined),
    async close() {
      unsubscribe();
      await workloads.close();
      await Promise.all(controllers.map((controller) => controller.close()));
    },
  };
}

const makers: Readonly<Record<Caretaker, (deps: ControllerDeps, rootCa: string) => Controller>> = {
  'garbage-collector': (deps) => new GarbageCollector(deps),
  namespace: (deps) => new NamespaceController(deps),
  serviceaccount: (deps) => new NamespaceKeeper(deps, 'serviceaccount', defaultAccount),
  'root-ca-cert-publisher': (deps, rootCa) =>
    new NamespaceKeeper(deps, 'root-ca-cert-publisher', rootCertificateMap(rootCa)),
  'storage-protection': (deps) => new StorageProtection(deps),
};
