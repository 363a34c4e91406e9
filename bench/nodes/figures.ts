import type { Figure, Measurement } from '../suite/figure.ts';

/** What the simulated nodes promise (`instant`, one process, durable store), in the order of the table. */
export const figures = [
  { id: 'ready-rate', title: 'pods from created to Ready', unit: '/s', aim: 'from', target: 400 },
  { id: 'rest-cpu', title: '10,000 pods on 100 nodes at rest, CPU', unit: '%', aim: 'below', target: 2 },
  { id: 'roll', title: 'Deployment of 1,000 pods rolled, 25 %/25 %', unit: 's', aim: 'below', target: 15 },
  { id: 'ready-10k', title: '10,000 pods created and Ready', unit: 's', aim: 'below', target: 30 },
] as const satisfies readonly Figure[];

export type NodesFigureId = (typeof figures)[number]['id'];

export type NodesMeasurement = Measurement<NodesFigureId>;

/** How much is done for each figure. */
export type NodesEffort = {
  readonly nodes: number;
  readonly rounds: number;
  readonly podsPerRound: number;
  readonly pods: number;
  readonly replicas: number;
  readonly settleMillis: number;
  readonly restMillis: number;
};

export const fullEffort: NodesEffort = {
  nodes: 100,
  rounds: 3,
  podsPerRound: 2000,
  pods: 10_000,
  replicas: 1000,
  settleMillis: 15_000,
  restMillis: 60_000,
};

export const quickEffort: NodesEffort = {
  nodes: 5,
  rounds: 1,
  podsPerRound: 40,
  pods: 100,
  replicas: 20,
  settleMillis: 200,
  restMillis: 1000,
};
