import type { Cluster } from '#machines/kinds/cluster.ts';
import type { Machine } from '#machines/kinds/machine.ts';
import { listAt, objectAt } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { hostOf, type Addressed } from './host-address.ts';
import { ageOf, claims, hasBegun, masterClaims, type Neighbours } from './host-claims.ts';
import { clusterOf, machineOf } from '#machines/read.ts';

export const addressTaken = 'AddressTaken';

/** Why a worker must not start to join: its hooks would run on a host of another object. */
export function workersHost(machine: Machine, cluster: Cluster, near: Neighbours): string | undefined {
  const { spec } = machine;
  const isOwn = ({ entry, isLeaving }: ReturnType<typeof masterClaims>[number]): boolean =>
    isLeaving ? entry.ip === spec.ip : hostOf(entry) === hostOf(spec);
  if (masterClaims(cluster, near).some(isOwn)) return taken(spec, masterOf(cluster));
  const other = near.clusters
    .filter((each) => nameIn(each) !== nameIn(cluster))
    .find((each) => masterClaims(each, near).some((claim) => claims(claim, spec)));
  if (other !== undefined) return taken(spec, masterOf(other));
  const first = near.machines
    .filter((each) => nameIn(each) !== nameIn(machine) && isOnHost(each, spec, spec.clusterName))
    .find((each) => hasBegun(each, near) || ageOf(each) < ageOf(machine));
  return first === undefined ? undefined : taken(spec, workerOf(first, spec.clusterName));
}

/** Why masters with these addresses must not be created: by address, the object that has the host. */
export function mastersHost(
  cluster: Cluster,
  ips: readonly string[],
  near: Neighbours,
): ReadonlyMap<string, string> {
  const conflicts = cluster.spec.machines
    .filter(({ ip }) => ips.includes(ip))
    .flatMap((entry) => {
      const conflict = masterHost(cluster, entry, near);
      return conflict === undefined ? [] : ([[entry.ip, conflict]] as const);
    });
  return new Map(conflicts);
}

function masterHost(cluster: Cluster, entry: Addressed, near: Neighbours): string | undefined {
  const name = nameIn(cluster);
  const worker = near.machines.find((each) => isOnHost(each, entry, name) && hasBegun(each, near));
  if (worker !== undefined) return taken(entry, workerOf(worker, name));
  const other = near.clusters
    .filter((each) => nameIn(each) !== name)
    .find((each) =>
      masterClaims(each, near).some(
        (claim) => claims(claim, entry) && (claim.isBegun || ageOf(each) < ageOf(cluster)),
      ),
    );
  return other === undefined ? undefined : taken(entry, masterOf(other));
}

/** Machines of one Cluster reach each other by their addresses, with or without a proxy. */
const isOnHost = ({ spec }: Machine, host: Addressed, cluster: string): boolean =>
  spec.clusterName === cluster
    ? hostOf(spec) === hostOf(host)
    : claims({ entry: spec, isLeaving: false, isBegun: true }, host);

/** A Cluster without masters that wait for the host of one of these workers, which can leave then. */
export function withoutWaiting(cluster: KubeObject, workers: readonly KubeObject[]): KubeObject {
  const { spec, status } = clusterOf(cluster);
  const hosts = workers.map((each) => hostOf(machineOf(each).spec));
  const has = (status?.machines ?? []).map(({ ip }) => ip);
  return withoutMasters(
    cluster,
    spec.machines
      .filter((each) => !has.includes(each.ip) && hosts.includes(hostOf(each)))
      .map(({ ip }) => ip),
  );
}

/** A Cluster without these of its masters. */
export function withoutMasters(cluster: KubeObject, ips: readonly string[]): KubeObject {
  if (ips.length === 0) return cluster;
  const entries = clusterOf(cluster).spec.machines;
  const machines = listAt(cluster, 'spec', 'machines').filter((_, at) => {
    const ip = entries[at]?.ip;
    return ip === undefined || !ips.includes(ip);
  });
  return { ...cluster, spec: { ...objectAt(cluster, 'spec'), machines } };
}

const taken = (host: Addressed, who: string): string =>
  `${hostOf(host)} is ${who} already. A host can be only one machine of one Cluster: delete this object, or delete the other one.`;

const masterOf = (cluster: Cluster): string => `a master of the Cluster ${nameIn(cluster)}`;

const workerOf = (machine: Machine, cluster: string): string =>
  machine.spec.clusterName === cluster
    ? `the Machine ${nameIn(machine)}`
    : `the Machine ${nameIn(machine)} of the Cluster ${machine.spec.clusterName}`;

const nameIn = ({ metadata }: Cluster | Machine): string => nameOf({ metadata });
