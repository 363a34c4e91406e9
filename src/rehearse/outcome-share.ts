/** How many of the rehearsals end in one way. */
export type OutcomeShare<Type extends string> = {
  readonly type: Type;
  readonly runs: number;
  /** A seed that leads to it. */
  readonly seed: number;
  readonly message: string;
};

/** The share in words. `outcomeTexts`: what these rehearsals do. */
export const shareLine = <Type extends string>(
  { type, runs, seed, message }: OutcomeShare<Type>,
  outcomeTexts: Readonly<Record<Type, string>>,
): string =>
  `  ${String(runs).padStart(6)} ${outcomeTexts[type]}${message === '' ? '' : `: ${message}`} (for instance --seed ${seed})`;
