import { limits } from './limits.ts';
import type { ExprValue } from './value.ts';

/** The state of one evaluation. */
export type Evaluation = {
  readonly result: ExprValue;
  /** The current value of `#`. */
  item: ExprValue;
  stepsLeft: number;
  /** The first failure. After it values have no meaning, and iterations end. */
  failure: EvaluationFailure | undefined;
};

export type EvaluationFailure = { readonly at: number; readonly why: string };

export type Evaluate = (run: Evaluation) => ExprValue;

export const startRun = (result: ExprValue): Evaluation => ({
  result,
  item: null,
  stepsLeft: limits.steps,
  failure: undefined,
});

/** Records a failure; returns nil in place of a value. */
export function fail(run: Evaluation, at: number, why: string): null {
  run.failure ??= { at, why };
  return null;
}

/** Takes steps; returns false if there are not enough. */
export function spend(run: Evaluation, at: number, steps: number): boolean {
  run.stepsLeft -= steps;
  if (run.stepsLeft >= 0) return run.failure === undefined;
  fail(run, at, `the evaluation takes more than ${limits.steps} steps`);
  return false;
}
