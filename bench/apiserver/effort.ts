/** How much is done for each figure. */
export type Effort = {
  readonly rounds: number;
  readonly starts: number;
  readonly warmUpMillis: number;
  readonly roundMillis: number;
  readonly pods: number;
  readonly watchedWrites: number;
  readonly settleMillis: number;
  /** How long a function is called over and over in this process. */
  readonly spinMillis: number;
};

export const fullEffort: Effort = {
  rounds: 3,
  starts: 5,
  warmUpMillis: 2000,
  roundMillis: 3000,
  pods: 10_000,
  watchedWrites: 500,
  settleMillis: 5000,
  spinMillis: 1000,
};

export const quickEffort: Effort = {
  rounds: 1,
  starts: 1,
  warmUpMillis: 100,
  roundMillis: 200,
  pods: 200,
  watchedWrites: 20,
  settleMillis: 200,
  spinMillis: 20,
};
