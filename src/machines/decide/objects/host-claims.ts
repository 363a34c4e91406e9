import type { Cluster } from '#machines/kinds/cluster.ts';
import type { Machine } from '#machines/kinds/machine.ts';
import { textAt } from '#base/json.ts';
import type { OperationKind } from '#machines/decide/model.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import { canonicalAddress, isSameHost, type Addressed } from './host-address.ts';

/** Clusters and Machines that may be on the same hosts. */
export type Neighbours = {
  readonly clusters: readonly Cluster[];
  readonly machines: readonly Machine[];
  /** Operations that run now, although no status may show them yet. */
  readonly underWay: (kind: 'Cluster' | 'Machine', name: string) => UnderWay | undefined;
};

export type UnderWay = { readonly kind: OperationKind; readonly nodes: readonly string[] };

export const nobody: Neighbours = { clusters: [], machines: [], underWay: () => undefined };

/** A host that a Cluster has or claims for a master. */
type MasterClaim = {
  /** Without a port when it is no longer in the spec. */
  readonly entry: Addressed;
  readonly isLeaving: boolean;
  /** An operation has started there, or is about to. */
  readonly isBegun: boolean;
};

/** The masters of a Cluster, and those that are about to leave it. A Cluster that is deleted claims no further host. */
export function masterClaims(cluster: Cluster, near: Neighbours): readonly MasterClaim[] {
  const { spec, status } = cluster;
  const has = (status?.machines ?? []).map(({ ip }) => ip);
  const begun = new Set([...has, ...addressesBegun(cluster, near)]);
  const wanted = spec.machines.map((entry) => ({ entry, isLeaving: false, isBegun: begun.has(entry.ip) }));
  const leaving = has
    .filter((ip) => !spec.machines.some((each) => each.ip === ip))
    .map((ip) => ({ entry: { ip }, isLeaving: true, isBegun: true }));
  const claims = [...wanted, ...leaving];
  return isDeleting({ metadata: cluster.metadata }) ? claims.filter(({ isBegun }) => isBegun) : claims;
}

/** Addresses of masters that an operation is creating. */
function addressesBegun(cluster: Cluster, near: Neighbours): readonly string[] {
  const { spec, status } = cluster;
  const { type, nodes = [] } = status?.operation ?? { type: '' };
  const under = near.underWay('Cluster', nameOf({ metadata: cluster.metadata }));
  const kinds = [type, under?.kind];
  if (kinds.includes('cluster.create') || kinds.includes('cluster.delete'))
    return spec.machines.map(({ ip }) => ip);
  return [...(type === 'node.join' ? nodes : []), ...(under?.kind === 'node.join' ? under.nodes : [])];
}

/** Whether a claim concerns the host. The port of a master that leaves is unknown. */
export const claims = ({ entry, isLeaving }: MasterClaim, host: Addressed): boolean =>
  isLeaving ? canonicalAddress(entry.ip) === canonicalAddress(host.ip) : isSameHost(entry, host);

export function hasBegun(machine: Machine, near: Neighbours): boolean {
  const { status } = machine;
  if (status?.joined === true || status?.operation !== undefined) return true;
  return near.underWay('Machine', nameOf({ metadata: machine.metadata })) !== undefined;
}

/** Smaller is older; the name decides within a second. */
export const ageOf = ({ metadata }: Cluster | Machine): string =>
  `${textAt(metadata, 'creationTimestamp') ?? ''} ${nameOf({ metadata })}`;
