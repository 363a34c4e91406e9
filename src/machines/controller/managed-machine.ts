import { numberAt } from '#base/json.ts';
import { dueForMachine } from '#machines/decide/objects/due.ts';
import { planInputsHash } from '#machines/decide/objects/plan-inputs-hash.ts';
import { machineSnapshot, type PlatformReader } from '#machines/decide/objects/platform-reader.ts';
import { machineOf } from '#machines/read.ts';
import type { KubeObject } from '#kube/object.ts';
import { machines } from '#machines/kinds/resources.ts';
import type { ManagedObject } from './managed-object.ts';

/** A worker. Its hooks are in its Cluster: so a change of either matters. */
export function managedMachine(reader: PlatformReader, name: string): ManagedObject {
  const object = (): KubeObject | undefined => reader.machine(name);
  const cluster = (): KubeObject | undefined => {
    const found = object();
    return found && reader.cluster(machineOf(found).spec.clusterName);
  };
  const generationOf = (of: KubeObject | undefined): number => numberAt(of, 'metadata', 'generation') ?? 0;
  return {
    isCluster: false,
    name,
    resource: machines,
    object,
    cluster,
    workers: () => {
      const found = object();
      return found === undefined ? [] : [found];
    },
    generation: () => generationOf(object()) + generationOf(cluster()),
    planInputsHash: () => `${planInputsHash(object())} ${planInputsHash(cluster())}`,
    due: () => {
      const snapshot = machineSnapshot(reader, name);
      if (snapshot === undefined) return { type: 'nothing' };
      return dueForMachine(snapshot.machine, snapshot.cluster, snapshot.neighbours);
    },
    held: () => [],
    finished: ({ kind, version }) =>
      Promise.resolve(
        kind === 'node.delete'
          ? { joined: false }
          : { joined: true, ...(version !== undefined && { version }) },
      ),
  };
}
