import type { Figure, Measurement } from '../suite/figure.ts';

/** What the dashboard promises, in the order of the table. */
export const figures = [
  { id: 'usable', title: 'release page usable, 2,000 workloads', unit: 's', aim: 'below', target: 1 },
  { id: 'write', title: 'a write is on the release page', unit: 'ms', aim: 'below', target: 250 },
  { id: 'write-overview', title: 'a write is in the overview', unit: 'ms', aim: 'below', target: 250 },
  { id: 'script', title: 'scripts, compressed', unit: 'kB', aim: 'below', target: 250 },
  { id: 'churn-heap', title: 'churn: growth of the heap of a page', unit: 'MB', aim: 'below', target: 2 },
  {
    id: 'churn-nodes',
    title: 'churn: growth of the DOM of a page',
    unit: 'nodes',
    aim: 'below',
    target: 200,
  },
  { id: 'churn-server', title: 'churn: growth of the server', unit: 'MB', aim: 'below', target: 30 },
  { id: 'tabs-cpu', title: '50 tabs at rest: CPU of the server', unit: '%', aim: 'below', target: 10 },
  { id: 'tabs-watches', title: '50 tabs: watches of 7 kinds', unit: 'watches', aim: 'below', target: 8 },
  { id: 'left', title: 'watches when all tabs are closed', unit: 'watches', aim: 'below', target: 1 },
] as const satisfies readonly Figure[];

export type DashboardFigureId = (typeof figures)[number]['id'];
export type DashboardMeasurement = Measurement<DashboardFigureId>;

/** How much is done for each figure. */
export type DashboardEffort = {
  readonly workloads: number;
  readonly rounds: number;
  readonly writes: number;
  /** Writes before the memory is looked at first, and between the first look and the last. */
  readonly settling: number;
  readonly churn: number;
  readonly tabs: number;
  readonly restMillis: number;
};

export const fullEffort: DashboardEffort = {
  workloads: 2000,
  rounds: 7,
  writes: 20,
  settling: 300,
  churn: 1500,
  tabs: 50,
  restMillis: 60_000,
};

export const quickEffort: DashboardEffort = {
  workloads: 5,
  rounds: 1,
  writes: 2,
  settling: 5,
  churn: 10,
  tabs: 3,
  restMillis: 1000,
};
