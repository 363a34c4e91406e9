import type { Figure, Measurement } from '../suite/figure.ts';

/** What rehearsals promise, in the order of the table. */
export const figures = [
  { id: 'canary', title: 'rehearsal of a 6-hour canary of 100 pods', unit: 's', aim: 'below', target: 5 },
  { id: 'upgrade', title: 'rehearsal of an upgrade of 50 machines', unit: 's', aim: 'below', target: 5 },
] as const satisfies readonly Figure[];

export type RehearseFigureId = (typeof figures)[number]['id'];
export type RehearseMeasurement = Measurement<RehearseFigureId>;

/** How much is done for each figure. */
export type RehearseEffort = {
  readonly pods: number;
  readonly machines: number;
  readonly rounds: number;
};

export const fullEffort: RehearseEffort = { pods: 100, machines: 50, rounds: 5 };
export const quickEffort: RehearseEffort = { pods: 10, machines: 3, rounds: 1 };
