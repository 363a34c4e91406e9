import type { Figure, Measurement } from '../suite/figure.ts';

/** What one controller promises for many objects, in the order of the table. */
export const figures = [
  {
    id: 'memory',
    title: '10,000 workloads, 2,000 active HookRuns, after churn, RSS',
    unit: 'MB',
    aim: 'below',
    target: 700,
  },
  { id: 'growth', title: 'growth of its memory over churn', unit: '%', aim: 'below', target: 5 },
  { id: 'idle-cpu', title: 'the same at rest, CPU', unit: '%', aim: 'below', target: 3 },
  {
    id: 'restart',
    title: 'restart until an edit made meanwhile is acted on',
    unit: 's',
    aim: 'below',
    target: 5,
  },
  {
    id: 'takeover',
    title: 'two shards, one killed, until its objects are acted on',
    unit: 's',
    aim: 'below',
    target: 20,
  },
  {
    id: 'twice',
    title: 'the same: pods and calls of hooks that were made twice',
    unit: '',
    aim: 'below',
    target: 1,
  },
  { id: 'crds', title: 'all CRDs together', unit: 'kB', aim: 'below', target: 300 },
] as const satisfies readonly Figure[];

export type ScaleFigureId = (typeof figures)[number]['id'];
export type ScaleMeasurement = Measurement<ScaleFigureId>;

/** How much is done for each figure. */
export type ScaleEffort = {
  readonly nodes: number;
  readonly workloads: number;
  readonly runs: number;
  /** Workloads that change in a round of churn. */
  readonly churned: number;
  /** More than twice the revisions and releases that a workload remembers. */
  readonly churnRounds: number;
  readonly settleMillis: number;
  readonly restMillis: number;
  readonly restarts: number;
  /** Workloads, and HookRuns, that two shards share. */
  readonly shared: number;
};

export const fullEffort: ScaleEffort = {
  nodes: 100,
  workloads: 10_000,
  runs: 2000,
  churned: 500,
  churnRounds: 24,
  settleMillis: 20_000,
  restMillis: 30_000,
  restarts: 3,
  shared: 1000,
};

export const quickEffort: ScaleEffort = {
  nodes: 3,
  workloads: 20,
  runs: 5,
  churned: 5,
  churnRounds: 2,
  settleMillis: 200,
  restMillis: 500,
  restarts: 1,
  shared: 10,
};
