import type { ControlDeps } from '#loop/control-deps.ts';
import type { Controller } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { removeObject } from '#loop/owned/write.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { clusterFinalizer, machineFinalizer, machines } from '#machines/kinds/resources.ts';
import { clusterConcerned, concernsMachines, ownersOf, usersOf, waitingForHost } from './affected-keys.ts';
import { removeArtifacts } from './artifacts.ts';
import { InformerReader } from './informer-reader.ts';
import type { WithMachines } from './machine-io.ts';
import { managedCluster } from './managed-cluster.ts';
import { managedMachine } from './managed-machine.ts';
import type { ObjectKind } from './object-reconciler.ts';
import { idleController, ownKey, startObjectController } from './start-object-controller.ts';

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
  const waiting = (delta: Delta): readonly string[] =>
    waitingForHost(delta, (object) => reader.clustersAtHostsOf(object));
  return startObjectController({
    deps,
    io,
    reader,
    kind,
    name: 'cluster',
    sources: (interrupting) => [
      interrupting({ informer: reader.clusters, keysOf: (delta) => ownKey(reader, delta) }),
      { informer: reader.clusters, keysOf: waiting },
      { informer: reader.machines, keysOf: waiting },
      { informer: reader.runs, keysOf: (delta) => ownersOf(delta, 'Cluster') },
      { informer: reader.templates, keysOf: ({ object }) => usersOf(object, reader.clusters.list()) },
      interrupting({ informer: reader.machines, keysOf: clusterConcerned }),
    ],
  });
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
  const membersOf = (name: string): readonly string[] => reader.machinesOf(name).map(keyOf);
  const waiting = (delta: Delta): readonly string[] =>
    waitingForHost(delta, (object) => reader.machinesAtHostsOf(object));
  return startObjectController({
    deps,
    io,
    reader,
    kind,
    name: 'machine',
    sources: (interrupting) => [
      interrupting({ informer: reader.machines, keysOf: (delta) => ownKey(reader, delta) }),
      { informer: reader.machines, keysOf: waiting },
      { informer: reader.clusters, keysOf: waiting },
      interrupting({
        informer: reader.clusters,
        keysOf: (delta) => (concernsMachines(delta) ? membersOf(nameOf(delta.object)) : []),
      }),
      { informer: reader.runs, keysOf: (delta) => ownersOf(delta, 'Machine') },
      {
        informer: reader.templates,
        keysOf: ({ object }) => usersOf(object, reader.clusters.list()).flatMap(membersOf),
      },
    ],
  });
}
