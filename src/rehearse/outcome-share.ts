/** How many of the rehearsals end in one way. */
export type OutcomeShare<Type extends string> = {
  readonly type: Type;
  readonly runs: number;
  /** A seed that leads to it. */
  readonly seed: number;
  readonly message: string;
};
