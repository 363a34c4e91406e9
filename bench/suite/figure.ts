/** A promise that can be measured. */
export type Figure<Id extends string = string> = {
  readonly id: Id;
  readonly title: string;
  readonly unit: string;
  /** `below`: less than the target reaches it; `from`: the target or more does. */
  readonly aim: 'below' | 'from';
  readonly target: number;
};

/** What was found for one figure. */
export type Measurement<Id extends string = string> = {
  readonly id: Id;
  readonly value: number;
  /** When it was measured more than once. */
  readonly rounds?: readonly number[];
  readonly cpuMicrosPerOperation?: number;
  readonly details: Readonly<Record<string, number>>;
};
