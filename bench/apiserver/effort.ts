/** How much is done for each figure. */
export type Effort = {
  readonly rounds: number;
  readonly warmUpMillis: number;
  readonly roundMillis: number;
  readonly pods: number;
  readonly watchedWrites: number;
  readonly settleMillis: number;
};

export const fullEffort: Effort = {
  rounds: 3,
  warmUpMillis: 2000,
  roundMillis: 3000,
  pods: 10_000,
  watchedWrites: 500,
  settleMillis: 5000,
};

export const quickEffort: Effort = {
  rounds: 1,
  warmUpMillis: 100,
  roundMillis: 200,
  pods: 200,
  watchedWrites: 20,
  settleMillis: 200,
};
