import type { Figure, Measurement } from '../suite/figure.ts';

/** What the command line promises, in the order of the table. */
export const figures = [
  { id: 'list', title: 'release list with 10,000 workloads', unit: 's', aim: 'below', target: 1.5 },
  {
    id: 'list-memory',
    title: 'release list with 10,000 workloads, peak RSS',
    unit: 'MB',
    aim: 'below',
    target: 200,
  },
  {
    id: 'get',
    title: 'release get NAME in a namespace of 10,000 pods',
    unit: 's',
    aim: 'below',
    target: 0.5,
  },
  { id: 'help', title: 'start of the slowest verb (--help)', unit: 'ms', aim: 'below', target: 150 },
  {
    id: 'complete',
    title: 'completion of a name among 10,000 workloads',
    unit: 'ms',
    aim: 'below',
    target: 300,
  },
] as const satisfies readonly Figure[];

export type CliFigureId = (typeof figures)[number]['id'];
export type CliMeasurement = Measurement<CliFigureId>;

/** How much is done for each figure. */
export type CliEffort = {
  readonly workloads: number;
  readonly pods: number;
  readonly rounds: number;
  readonly verbRounds: number;
};

export const fullEffort: CliEffort = { workloads: 10_000, pods: 10_000, rounds: 7, verbRounds: 5 };
export const quickEffort: CliEffort = { workloads: 20, pods: 20, rounds: 1, verbRounds: 1 };
