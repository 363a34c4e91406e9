import type { ControlDeps } from '#loop/control-deps.ts';
import { runController, type Controller, type Source } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { isStale, removeObject } from '#loop/owned/write.ts';
import { isDeleting, nameOf, uidOf } from '#kube/object.ts';
import { clusterFinalizer, machineFinalizer, machines } from '#machines/kinds/resources.ts';
import { clusterConcerned, concernsMachines, ownersOf, usersOf, waitingForHost } from './affected-keys.ts';
import { removeArtifacts } from './artifacts.ts';
import { managedCluster } from './managed-cluster.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { InformerReader } from './informer-reader.ts';
import type { MachineIo, WithMachines } from './machine-io.ts';
import { managedMachine } from './managed-machine.ts';
import { ObjectReconciler, type ObjectKind } from './object-reconciler.ts';
import type { OperationDeps } from './operation-deps.ts';

/** Reconciles at a time; most of them only wait for a connection slot. */
const parallel = 200;
/** Operations that are connected to their machines at a time. */
const mostConnected = 16;

/** Creates, upgrades and removes Clusters on their machines. */
export function clusterController(deps: ControlDeps & WithMachines): Controller {
  const { machines: io } = deps;
  if (io === undefined) return idleController;
  const reader = new InformerReader(deps, io);
  const kind: ObjectKind = {
    finalizer: clusterFinalizer,
    managed: (name) => managedCluster(deps.client, reader, name),
    async release(cluster, signal) {
      for (const machine of reader.machinesOf(nameOf(cluster)))
        if (!isDeleting(machine)) await removeObject(deps.client, machines, machine, signal);
      await removeArtifacts({ ...deps, namespace: io.namespace }, nameOf(cluster), signal);
    },
  };
  const reconciler = new ObjectReconciler(operationDeps(deps, io, reader, 'cluster-controller'), kind);
  const waiting = (delta: Delta): readonly string[] =>
    waitingForHost(delta, (object) => reader.clustersAtHostsOf(object));
  return start(deps, 'cluster', reconciler, [
    interrupting(reconciler, { informer: reader.clusters, keysOf: (delta) => forgetting(reader, delta) }),
    { informer: reader.clusters, keysOf: waiting },
    { informer: reader.machines, keysOf: waiting },
    { informer: reader.runs, keysOf: (delta) => ownersOf(delta, 'Cluster') },
    { informer: reader.templates, keysOf: ({ object }) => usersOf(object, reader.clusters.list()) },
    interrupting(reconciler, { informer: reader.machines, keysOf: clusterConcerned }),
  ]);
}

/** Joins Machines to their Clusters, upgrades and removes them. */
export function machineController(deps: ControlDeps & WithMachines): Controller {
  const { machines: io } = deps;
  if (io === undefined) return idleController;
  const reader = new InformerReader(deps, io);
  const kind: ObjectKind = {
    finalizer: machineFinalizer,
    managed: (name) => managedMachine(reader, name),
    release: () => Promise.resolve(),
  };
  const reconciler = new ObjectReconciler(operationDeps(deps, io, reader, 'machine-controller'), kind);
  const membersOf = (name: string): readonly string[] => reader.machinesOf(name).map(keyOf);
  const waiting = (delta: Delta): readonly string[] =>
    waitingForHost(delta, (object) => reader.machinesAtHostsOf(object));
  return start(deps, 'machine', reconciler, [
    interrupting(reconciler, { informer: reader.machines, keysOf: (delta) => forgetting(reader, delta) }),
    { informer: reader.machines, keysOf: waiting },
    { informer: reader.clusters, keysOf: waiting },
    interrupting(reconciler, {
      informer: reader.clusters,
      keysOf: (delta) => (concernsMachines(delta) ? membersOf(nameOf(delta.object)) : []),
    }),
    { informer: reader.runs, keysOf: (delta) => ownersOf(delta, 'Machine') },
    {
      informer: reader.templates,
      keysOf: ({ object }) => usersOf(object, reader.clusters.list()).flatMap(membersOf),
    },
  ]);
}

const idleController: Controller = {
  started: Promise.resolve(),
  add: () => undefined,
  idle: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const operationDeps = (
  deps: ControlDeps,
  io: MachineIo,
  reader: InformerReader,
  component: string,
): OperationDeps => ({
  ...deps,
  io,
  events: deps.recorder(component),
  newest: reader.newest,
  slots: new ConnectionSlots(mostConnected),
  holder: `${io.holder} ${deps.random.uuid()}`,
  run: (namespace, name) => reader.run(namespace, name),
  template: (namespace, name) => reader.template(namespace, name),
});

function start(
  { clock, random, tasks, report, metrics }: ControlDeps,
  name: string,
  reconciler: ObjectReconciler,
  sources: readonly Source[],
): Controller {
  const queue = { parallel, isExpected: isStale };
  const reconcile = (key: string, signal: AbortSignal) => reconciler.reconcile(key, signal);
  const controller = runController({
    name,
    clock,
    random,
    tasks,
    report,
    metrics,
    queue,
    sources,
    reconcile,
  });
  // An operation may take hours: a caller that waits for an idle controller does not wait for it.
  return { ...controller, idle: () => controller.started };
}

/** A change interrupts the operation that runs; its key would wait for the end of that operation. */
const interrupting = (reconciler: ObjectReconciler, source: Source): Source => ({
  ...source,
  keysOf(delta) {
    const keys = [...source.keysOf(delta)];
    if (delta.type === 'deleted') reconciler.forget(delta.object);
    for (const key of keys) reconciler.changed(key);
    return keys;
  },
});

function forgetting(reader: InformerReader, { type, object }: Delta): readonly string[] {
  if (type === 'deleted') reader.newest.forget(uidOf(object));
  return [keyOf(object)];
}
