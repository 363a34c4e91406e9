import type { Figure, Measurement } from '../suite/figure.ts';

/** What Clusters as objects promise, in the order of the table. */
export const figures = [
  {
    id: 'astray',
    title: '50 Clusters of 20 machines at once: hooks that ran not once',
    unit: 'hooks',
    aim: 'below',
    target: 0.5,
  },
  { id: 'memory', title: 'the controller meanwhile, RSS at most', unit: 'MB', aim: 'below', target: 400 },
  {
    id: 'starved',
    title: 'the last Cluster ready, in times of the average',
    unit: 'times',
    aim: 'below',
    target: 3,
  },
  {
    id: 'rest-contacts',
    title: 'hosts contacted in a resync without changes',
    unit: 'hosts',
    aim: 'below',
    target: 0.5,
  },
  {
    id: 'rest-writes',
    title: 'Clusters written in a resync without changes',
    unit: 'writes',
    aim: 'below',
    target: 0.5,
  },
  {
    id: 'conditions',
    title: 'conditions of 400 nodes and 15 steps, processor time at most',
    unit: 'ms',
    aim: 'below',
    target: 50,
  },
] as const satisfies readonly Figure[];

export type MachineObjectsFigureId = (typeof figures)[number]['id'];
export type MachineObjectsMeasurement = Measurement<MachineObjectsFigureId>;

export type MachineObjectsEffort = {
  readonly clusters: number;
  readonly machines: number;
  readonly hosts: number;
  readonly restMillis: number;
};

export const fullEffort: MachineObjectsEffort = { clusters: 50, machines: 20, hosts: 1000, restMillis: 5000 };
export const quickEffort: MachineObjectsEffort = { clusters: 3, machines: 4, hosts: 12, restMillis: 500 };
