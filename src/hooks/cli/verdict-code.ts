import type { RunPhase } from '#hooks/kinds/hook-run.ts';

/** The exit codes of verdicts. A run without a verdict counts as Inconclusive. */
const codes: Readonly<Record<RunPhase, number>> = {
  Successful: 0,
  Failed: 1,
  Error: 3,
  Inconclusive: 4,
  Running: 4,
  Pending: 4,
};

export const codeOf = (phase: RunPhase | undefined): number => codes[phase ?? 'Pending'];
