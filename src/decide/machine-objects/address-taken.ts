import type { Cluster } from '#api/platform/cluster.ts';
import type { Machine } from '#api/platform/machine.ts';
import { listAt, objectAt, textAt } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { asCluster, asMachine, asObject } from './objects.ts';

export const addressTaken = 'AddressTaken';

/** Workers of the same Cluster, and which of them are being worked on though their status does not say so yet. */
export type Neighbours = {
  readonly machines: readonly Machine[];
  readonly isUnderWay: (name: string) => boolean;
};

export const nobody: Neighbours = { machines: [], isUnderWay: () => false };

/** Why a worker that has not begun to join must not: its hooks would run on a host that has run them already. */
export function workersHost(machine: Machine, cluster: Cluster, near: Neighbours): string | undefined {
  const host = hostOf(machine.spec);
  const { spec } = cluster;
  const isMaster = spec.machines.some((each) => hostOf(each) === host) || isLeaving(cluster, machine.spec.ip);
  const clusterName = nameOf(asObject(cluster));
  if (isMaster) return taken(host, `a master of the Cluster ${clusterName}`);
  const first = near.machines
    .filter((other) => nameIn(other) !== nameIn(machine) && hostOf(other.spec) === host)
    .find((other) => hasBegun(other, near) || ageOf(other) < ageOf(machine));
  return first === undefined ? undefined : taken(host, `the Machine ${nameIn(first)}`);
}

/** Why a master must not join: a worker of the Cluster is on its host. */
export function mastersHost({ spec }: Cluster, ips: readonly string[], near: Neighbours): string | undefined {
  const hosts = spec.machines.filter(({ ip }) => ips.includes(ip)).map(hostOf);
  const first = near.machines.find((each) => hosts.includes(hostOf(each.spec)) && hasBegun(each, near));
  return first === undefined ? undefined : taken(hostOf(first.spec), `the Machine ${nameIn(first)}`);
}

/** Without masters that wait for the host of one of these workers: so that those can leave. */
export function withoutWaiting(cluster: KubeObject, workers: readonly KubeObject[]): KubeObject {
  const { spec, status } = asCluster(cluster);
  const hosts = workers.map((each) => hostOf(asMachine(each).spec));
  const has = (status?.machines ?? []).map(({ ip }) => ip);
  const isWaiting = (each: Addressed): boolean => !has.includes(each.ip) && hosts.includes(hostOf(each));
  if (!spec.machines.some(isWaiting)) return cluster;
  const machines = listAt(cluster, 'spec', 'machines').filter((_, at) => {
    const each = spec.machines[at];
    return each === undefined || !isWaiting(each);
  });
  return { ...cluster, spec: { ...objectAt(cluster, 'spec'), machines } };
}

const taken = (host: string, who: string): string =>
  `${host} is ${who} already. A host is one machine of a Cluster: delete this one, or that one to let this one go on.`;

type Addressed = { readonly ip: string; readonly port?: number };

const hostOf = ({ ip, port = 22 }: Addressed): string => `${ip} port ${port}`;

/** Its port has gone from the spec with it. */
const isLeaving = ({ spec, status }: Cluster, ip: string): boolean =>
  (status?.machines ?? []).some((each) => each.ip === ip) && !spec.machines.some((each) => each.ip === ip);

const hasBegun = (machine: Machine, { isUnderWay }: Neighbours): boolean =>
  machine.status?.joined === true || machine.status?.operation !== undefined || isUnderWay(nameIn(machine));

const nameIn = (machine: Machine): string => nameOf(asObject(machine));

/** Smaller is older; the name decides within a second. */
const ageOf = (machine: Machine): string =>
  `${textAt(asObject(machine), 'metadata', 'creationTimestamp') ?? ''} ${nameIn(machine)}`;
