import { limits } from './limits.ts';
import type { ExprValue } from './value.ts';

/** One evaluation while it goes on. */
export type Evaluation = {
  readonly result: ExprValue;
  /** What `#` is at present. */
  item: ExprValue;
  stepsLeft: number;
  /** The first failure; behind it values mean nothing and loops end. */
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

/** Records a failure and stands for the value that is missing. */
export function fail(run: Evaluation, at: number, why: string): null {
  run.failure ??= { at, why };
  return null;
}

/** Whether there are steps left for this work. */
export function spend(run: Evaluation, at: number, steps: number): boolean {
  run.stepsLeft -= steps;
  if (run.stepsLeft >= 0) return run.failure === undefined;
  fail(run, at, `the evaluation takes more than ${limits.steps} steps`);
  return false;
}
