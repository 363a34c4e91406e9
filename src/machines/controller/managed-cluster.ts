import { numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { dueForCluster, isTouched, mastersHeld, type WantedOperation } from '#machines/decide/objects/due.ts';
import { clusterSnapshot, type PlatformReader } from '#machines/decide/objects/platform-reader.ts';
import { clusterOf, machineOf } from '#machines/read.ts';
import type { ObjectPlan } from '#machines/decide/objects/plan-object.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Refused } from '#loop/owned/write.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { planInputsHash } from '#machines/decide/objects/plan-inputs-hash.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';
import type { ManagedObject } from './managed-object.ts';

/** A Cluster, its masters, and its workers where they take part. */
export function managedCluster(
  client: Pick<KubeClient, 'patch'>,
  reader: PlatformReader,
  name: string,
): ManagedObject {
  const object = (): KubeObject | undefined => reader.cluster(name);
  return {
    isCluster: true,
    name,
    resource: clusters,
    object,
    cluster: object,
    workers: (wanted) => workersIn(reader, name, wanted),
    generation: () => numberAt(object(), 'metadata', 'generation') ?? 0,
    planInputsHash: (wanted) => [object(), ...workersIn(reader, name, wanted)].map(planInputsHash).join(' '),
    due: () => {
      const snapshot = clusterSnapshot(reader, name);
      if (snapshot === undefined) return { type: 'nothing' };
      return dueForCluster(snapshot.cluster, snapshot.neighbours);
    },
    held: ({ kind }) => {
      const snapshot = kind === 'cluster.create' ? clusterSnapshot(reader, name) : undefined;
      return snapshot === undefined ? [] : mastersHeld(snapshot.cluster, snapshot.neighbours);
    },
    finished: async (wanted, planned, signal) => {
      const found = object();
      if (wanted.kind === 'cluster.upgrade')
        await upgraded(client, workersIn(reader, name, wanted), wanted, signal);
      return found === undefined ? {} : changesAfter(found, wanted, planned);
    },
  };
}

/** Workers come and go by Machines of their own; the whole cluster is upgraded and removed together. */
function workersIn(reader: PlatformReader, name: string, { kind }: WantedOperation): readonly KubeObject[] {
  if (kind !== 'cluster.upgrade' && kind !== 'cluster.delete') return [];
  const isManual = textAt(reader.cluster(name), 'spec', 'features', 'upgrade', 'mode') === 'Manual';
  if (kind === 'cluster.upgrade' && isManual) return [];
  return reader.machinesOf(name).filter((machine) => {
    const typed = machineOf(machine);
    return kind === 'cluster.delete'
      ? isTouched(typed)
      : typed.status?.joined === true && !isDeleting(machine);
  });
}

async function upgraded(
  client: Pick<KubeClient, 'patch'>,
  workers: readonly KubeObject[],
  { version }: WantedOperation,
  signal: AbortSignal,
): Promise<void> {
  if (version === undefined) return;
  for (const worker of workers) {
    const patch = { type: 'merge', body: { status: { version } }, subresource: 'status' } as const;
    const outcome = await client.patch(machines, { name: nameOf(worker) }, patch, signal);
    // Else it would be upgraded once more, by itself.
    if (outcome.type !== 'ok' && outcome.type !== 'not-found') throw new Refused(outcome);
  }
}

function changesAfter(object: KubeObject, wanted: WantedOperation, { declaration }: ObjectPlan): JsonObject {
  const { status } = clusterOf(object);
  const before = (status?.machines ?? []).map(({ ip }) => ip);
  const masters = declaration.cluster.nodes.filter(({ roles }) => roles.includes('master'));
  const entry = (ip: string): Json => ({ ip, status: 'Running' });
  switch (wanted.kind) {
    case 'cluster.create':
      return {
        machines: masters.map(({ address }) => entry(address)),
        ...(wanted.version !== undefined && { version: wanted.version }),
      };
    case 'node.join':
      return { machines: [...before, ...wanted.nodes].map(entry) };
    case 'node.delete':
      return { machines: before.filter((ip) => !wanted.nodes.includes(ip)).map(entry) };
    case 'cluster.delete':
      return { machines: [] };
    default:
      return wanted.version === undefined ? {} : { version: wanted.version };
  }
}
