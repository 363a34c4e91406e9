import { listAt, objectAt, textAt, type Json } from '#base/json.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { templateOf } from '#hooks/read.ts';
import type { Cluster } from '#machines/kinds/cluster.ts';
import type { Machine } from '#machines/kinds/machine.ts';
import { clusterOf, machineOf } from '#machines/read.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { canonicalAddress } from './host-address.ts';
import type { Neighbours } from './host-claims.ts';

/** Reads the objects that decisions about Clusters and Machines are made from. */
export type PlatformReader = {
  cluster(name: string): KubeObject | undefined;
  machine(name: string): KubeObject | undefined;
  /** Machines of a Cluster in the order of their names. */
  machinesOf(cluster: string): readonly KubeObject[];
  /** Clusters on the same hosts, in the order of their names; a Cluster itself is among them. */
  clustersAtHostsOf(object: KubeObject): readonly KubeObject[];
  machinesAtHostsOf(object: KubeObject): readonly KubeObject[];
  run(namespace: string, name: string): KubeObject | undefined;
  template(namespace: string, name: string): HookTemplate | undefined;
  /** Operations that run now, although no status may show them yet. */
  readonly underWay: Neighbours['underWay'];
};

/** What is decided about a Cluster from. */
export type ClusterSnapshot = {
  readonly object: KubeObject;
  readonly cluster: Cluster;
  readonly neighbours: Neighbours;
};

/** What is decided about a Machine from. */
export type MachineSnapshot = {
  readonly object: KubeObject;
  readonly machine: Machine;
  readonly cluster: Cluster | undefined;
  readonly neighbours: Neighbours;
};

export function clusterSnapshot(reader: PlatformReader, name: string): ClusterSnapshot | undefined {
  const object = reader.cluster(name);
  if (object === undefined) return undefined;
  return { object, cluster: clusterOf(object), neighbours: neighboursOf(reader, object) };
}

export function machineSnapshot(reader: PlatformReader, name: string): MachineSnapshot | undefined {
  const object = reader.machine(name);
  if (object === undefined) return undefined;
  const machine = machineOf(object);
  const cluster = reader.cluster(machine.spec.clusterName);
  const neighbours = neighboursOf(reader, object);
  return { object, machine, cluster: cluster && clusterOf(cluster), neighbours };
}

const neighboursOf = (reader: PlatformReader, object: KubeObject): Neighbours => ({
  clusters: reader.clustersAtHostsOf(object).map(clusterOf),
  machines: reader.machinesAtHostsOf(object).map(machineOf),
  underWay: reader.underWay,
});

/** Addresses of the hosts of a Cluster or Machine; masters that leave a Cluster are in its status only. */
export function hostsOf(object: KubeObject): readonly string[] {
  const masters = [...listAt(object, 'spec', 'machines'), ...listAt(object, 'status', 'machines')];
  return [...new Set([...masters, objectAt(object, 'spec')].flatMap(addressIn))];
}

function addressIn(entry: Json | undefined): readonly string[] {
  const ip = textAt(entry, 'ip');
  return ip === undefined ? [] : [canonicalAddress(ip)];
}

export const byName = (a: KubeObject, b: KubeObject): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** All objects that a reader reads, as lists. */
export type PlatformLists = {
  readonly clusters: readonly KubeObject[];
  readonly machines: readonly KubeObject[];
  readonly runs: readonly KubeObject[];
  readonly templates: readonly KubeObject[];
};

/** A reader over lists: for a command or a page that has requested them. */
export function listReader({ clusters, machines, runs, templates }: PlatformLists): PlatformReader {
  const named = (all: readonly KubeObject[], name: string, namespace = ''): KubeObject | undefined =>
    all.find((each) => nameOf(each) === name && namespaceOf(each) === namespace);
  const atHosts = (all: readonly KubeObject[], object: KubeObject): readonly KubeObject[] => {
    const hosts = new Set(hostsOf(object));
    return all.filter((each) => hostsOf(each).some((host) => hosts.has(host))).toSorted(byName);
  };
  return {
    cluster: (name) => named(clusters, name),
    machine: (name) => named(machines, name),
    machinesOf: (cluster) =>
      machines.filter((each) => textAt(each, 'spec', 'clusterName') === cluster).toSorted(byName),
    clustersAtHostsOf: (object) => atHosts(clusters, object),
    machinesAtHostsOf: (object) => atHosts(machines, object),
    run: (namespace, name) => unlessDeleting(named(runs, name, namespace)),
    template: (namespace, name) => {
      const found = named(templates, name, namespace);
      return found && templateOf(found);
    },
    underWay: () => undefined,
  };
}

/** A HookRun that is being deleted counts as gone. */
export const unlessDeleting = (run: KubeObject | undefined): KubeObject | undefined =>
  run === undefined || isDeleting(run) ? undefined : run;
