import type { Figure, Measurement } from '../suite/figure.ts';

/** What the hook engine promises, in the order of the table. */
export const figures = [
  {
    id: 'one-process',
    title: '1,000 runs at 1 s, one process, p99 lateness',
    unit: 'ms',
    aim: 'below',
    target: 50,
  },
  {
    id: 'two-processes',
    title: '2,000 runs at 1 s, two processes, p99 lateness',
    unit: 'ms',
    aim: 'below',
    target: 50,
  },
  { id: 'writes', title: 'status writes per measurement', unit: 'writes', aim: 'below', target: 1.000001 },
  { id: 'hanging', title: 'p99 lateness added by 10 % that hang', unit: 'ms', aim: 'below', target: 20 },
  {
    id: 'finished-memory',
    title: '10,000 finished runs, RSS above idle',
    unit: 'MB',
    aim: 'below',
    target: 150,
  },
  { id: 'finished-cpu', title: '10,000 finished runs, CPU', unit: '%', aim: 'below', target: 1 },
  {
    id: 'expression',
    title: 'evaluations of asInt(result) < 30',
    unit: '/s',
    aim: 'from',
    target: 1_000_000,
  },
] as const satisfies readonly Figure[];

export type HooksFigureId = (typeof figures)[number]['id'];

export type HooksMeasurement = Measurement<HooksFigureId>;

/** How much is done for each figure. */
export type HooksEffort = {
  readonly runsInOneProcess: number;
  readonly runsInTwo: number;
  /** Runs are made evenly over this span, so that their calls are spread over the second. */
  readonly spreadMillis: number;
  readonly warmUpMillis: number;
  readonly watchedMillis: number;
  readonly finishedRuns: number;
  readonly settleMillis: number;
  readonly restMillis: number;
  readonly evaluateMillis: number;
};

export const fullEffort: HooksEffort = {
  runsInOneProcess: 1000,
  runsInTwo: 2000,
  spreadMillis: 4000,
  warmUpMillis: 5000,
  watchedMillis: 60_000,
  finishedRuns: 10_000,
  settleMillis: 20_000,
  restMillis: 20_000,
  evaluateMillis: 1000,
};

export const quickEffort: HooksEffort = {
  runsInOneProcess: 20,
  runsInTwo: 20,
  spreadMillis: 500,
  warmUpMillis: 1000,
  watchedMillis: 2000,
  finishedRuns: 50,
  settleMillis: 200,
  restMillis: 500,
  evaluateMillis: 50,
};
