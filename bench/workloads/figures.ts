import type { Figure, Measurement } from '../suite/figure.ts';

/** What the controllers of GameDeployments promise, in the order of the table. */
export const figures = [
  {
    id: 'create',
    title: '500 workloads of 4 pods created and ready',
    unit: 's',
    aim: 'below',
    target: 15,
  },
  {
    id: 'in-place',
    title: '2,000 pods updated in place, one process',
    unit: '/s',
    aim: 'from',
    target: 150,
  },
  {
    id: 'in-place-own',
    title: '2,000 pods updated in place, own process',
    unit: '/s',
    aim: 'from',
    target: 300,
  },
  {
    id: 'writes',
    title: 'writes to a pod updated in place',
    unit: 'writes',
    aim: 'below',
    target: 3.000001,
  },
  { id: 'canaries', title: '200 canaries of 10 pods, without waits', unit: 's', aim: 'below', target: 20 },
  {
    id: 'rest-memory',
    title: '10,000 workloads of 1 pod at rest, RSS',
    unit: 'MB',
    aim: 'below',
    target: 500,
  },
  { id: 'rest-cpu', title: '10,000 workloads of 1 pod at rest, CPU', unit: '%', aim: 'below', target: 1 },
  { id: 'decision', title: 'one decision for 1,000 pods', unit: 'ms', aim: 'below', target: 2 },
] as const satisfies readonly Figure[];

export type WorkloadsFigureId = (typeof figures)[number]['id'];

export type WorkloadsMeasurement = Measurement<WorkloadsFigureId>;

/** How much is done for each figure. */
export type WorkloadsEffort = {
  readonly nodes: number;
  readonly workloads: number;
  readonly replicas: number;
  readonly rounds: number;
  readonly counted: number;
  readonly canaries: number;
  readonly canaryReplicas: number;
  readonly pauseSeconds: number;
  readonly resting: number;
  readonly settleMillis: number;
  readonly restMillis: number;
  readonly pods: number;
  readonly decisions: number;
};

export const fullEffort: WorkloadsEffort = {
  nodes: 100,
  workloads: 500,
  replicas: 4,
  rounds: 3,
  counted: 50,
  canaries: 200,
  canaryReplicas: 10,
  pauseSeconds: 5,
  resting: 10_000,
  settleMillis: 20_000,
  restMillis: 20_000,
  pods: 1000,
  decisions: 200,
};

export const quickEffort: WorkloadsEffort = {
  nodes: 5,
  workloads: 5,
  replicas: 4,
  rounds: 1,
  counted: 3,
  canaries: 2,
  canaryReplicas: 10,
  pauseSeconds: 1,
  resting: 20,
  settleMillis: 500,
  restMillis: 500,
  pods: 100,
  decisions: 5,
};
