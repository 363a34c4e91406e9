import type { SimClusterShape, SimOperation } from './sim-cluster-plan.ts';
import { masterName, workerName } from './sim-cluster-plan.ts';
import type { SimMachines } from './sim-machines.ts';

/** The version on each machine that is a member of its cluster, by what kubeadm leaves there. */
export type Membership = ReadonlyMap<string, string>;

const identity = '/etc/kubernetes/boathook-identity';

export function membersOf(machines: SimMachines, { masters, workers }: SimClusterShape): Membership {
  const names = [
    ...Array.from({ length: masters }, (_, at) => masterName(at)),
    ...Array.from({ length: workers }, (_, at) => workerName(at)),
  ];
  return new Map(
    names.flatMap((name) => {
      const { files } = machines.at(name).machine;
      if (files.entry('/etc/kubernetes/kubelet.conf') === undefined) return [];
      const text = files.read(identity) ?? '';
      const isHalf =
        text.includes('unfinished=') || files.entry('/etc/kubernetes/.boathook-joining') !== undefined;
      const version = /^version=(.*)$/m.exec(text)?.[1] ?? '';
      return [[name, isHalf ? 'half-made' : version] as const];
    }),
  );
}

type Changed = {
  readonly shape: SimClusterShape;
  readonly asked: SimOperation;
  readonly before: Membership;
  /** Machines of which a message says that something is left. */
  readonly ignored: readonly string[];
};

/** What an operation that is complete must have made of the machines, and of no others. */
export function memberComplaints(
  machines: SimMachines,
  { shape, asked, before, ignored }: Changed,
): readonly string[] {
  const after = membersOf(machines, shape);
  const wanted = wantedMembers(asked, before, shape);
  const names = new Set([...wanted.keys(), ...after.keys()]);
  return [...names].flatMap((name) =>
    wanted.get(name) === after.get(name) || ignored.includes(name)
      ? []
      : [
          `after ${asked.operation} ${name} is ${after.get(name) ?? 'no member'}, not ${wanted.get(name) ?? 'without a cluster'}`,
        ],
  );
}

function wantedMembers(
  { operation, nodes, version }: SimOperation,
  before: Membership,
  shape: SimClusterShape,
): Membership {
  switch (operation) {
    case 'cluster.create':
    case 'bootstrap':
      return new Map(
        [
          ...Array.from({ length: shape.masters }, (_, at) => masterName(at)),
          ...Array.from({ length: shape.workers }, (_, at) => workerName(at)),
        ].map((name) => [name, version]),
      );
    case 'cluster.delete':
      return new Map();
    case 'node.join':
      return new Map([...before, ...nodes.map((name) => [name, version] as const)]);
    case 'node.delete':
      return new Map([...before].filter(([name]) => !nodes.includes(name)));
    case 'cluster.upgrade':
    case 'node.upgrade':
      return new Map(
        [...before].map(([name, old]) => [name, nodes.length === 0 || nodes.includes(name) ? version : old]),
      );
  }
}
