import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import { GarbageCollector } from '#builtin/garbage/collector.ts';
import { NamespaceKeeper } from '#builtin/keeper/namespace-keeper.ts';
import { defaultAccount, rootCertificateMap } from '#builtin/keeper/wanted-object.ts';
import { NamespaceController } from '#builtin/namespace/namespace-controller.ts';
import { StorageProtection } from '#builtin/protection/storage-protection.ts';
import { promisedTasks } from '#loop/promised-tasks.ts';
import type { Cluster } from './cluster.ts';
import type { Controller, ControllerDeps } from './controller.ts';
import type { Log } from './log.ts';

/** Every built-in controller, by the name under which it is switched on. */
export const controllerNames = [
  'garbage-collector',
  'namespace',
  'serviceaccount',
  'root-ca-cert-publisher',
  'storage-protection',
] as const;
export type ControllerName = (typeof controllerNames)[number];

export type BuiltinDeps = {
  readonly cluster: Cluster;
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
  const controllers = controllerNames
    .filter((name) => given.names.has(name))
    .map((name) => makers[name](deps, given.rootCa));
  const unsubscribe = given.cluster.subscribe((changes) => {
    for (const change of changes) for (const controller of controllers) controller.observe(change);
  });
  for (const controller of controllers) controller.seed();
  const looked = Promise.all(controllers.map((controller) => controller.idle()));
  return {
    synced: looked.then(() => undefined),
    async close() {
      unsubscribe();
      await Promise.all(controllers.map((controller) => controller.close()));
    },
  };
}

const makers: Readonly<Record<ControllerName, (deps: ControllerDeps, rootCa: string) => Controller>> = {
  'garbage-collector': (deps) => new GarbageCollector(deps),
  namespace: (deps) => new NamespaceController(deps),
  serviceaccount: (deps) => new NamespaceKeeper(deps, 'serviceaccount', defaultAccount),
  'root-ca-cert-publisher': (deps, rootCa) =>
    new NamespaceKeeper(deps, 'root-ca-cert-publisher', rootCertificateMap(rootCa)),
  'storage-protection': (deps) => new StorageProtection(deps),
};
