import type { Figure, Measurement } from '../suite/figure.ts';

/** What registrations promise, in the order of the table. */
export const figures = [
  { id: 'cold', title: '5,000 instances from cold, hook in 5 ms', unit: 's', aim: 'below', target: 30 },
  { id: 'cold-memory', title: '5,000 instances from cold, RSS', unit: 'MB', aim: 'below', target: 400 },
  {
    id: 'relist-writes',
    title: 'writes in a relist without changes',
    unit: 'writes',
    aim: 'below',
    target: 0.5,
  },
  {
    id: 'relist-calls',
    title: 'hook calls in a relist without changes',
    unit: 'calls',
    aim: 'below',
    target: 0.5,
  },
  { id: 'hanging', title: 'p99 added by a hook that hangs', unit: 'ms', aim: 'below', target: 20 },
] as const satisfies readonly Figure[];

export type RegistrationsFigureId = (typeof figures)[number]['id'];

export type RegistrationsMeasurement = Measurement<RegistrationsFigureId>;

/** How much is done for each figure. */
export type RegistrationsEffort = {
  readonly cold: number;
  readonly relisted: number;
  readonly healthy: number;
  /** Changes that are timed, with and without the hook that hangs. */
  readonly changes: number;
  readonly hanging: number;
  readonly restMillis: number;
};

export const fullEffort: RegistrationsEffort = {
  cold: 5000,
  relisted: 1000,
  healthy: 100,
  changes: 750,
  hanging: 500,
  restMillis: 5000,
};

export const quickEffort: RegistrationsEffort = {
  cold: 50,
  relisted: 20,
  healthy: 10,
  changes: 40,
  hanging: 20,
  restMillis: 500,
};
