import { limits } from './limits.ts';
import type { Value } from './value.ts';

/** One evaluation while it goes on. */
export type Run = {
  readonly result: Value;
  /** What `#` is at present. */
  item: Value;
  stepsLeft: number;
  /** The first failure; behind it values mean nothing and loops end. */
  failure: Failure | undefined;
};

export type Failure = { readonly at: number; readonly why: string };

export type Evaluate = (run: Run) => Value;

export const startRun = (result: Value): Run => ({
  result,
  item: null,
  stepsLeft: limits.steps,
  failure: undefined,
});

/** Records a failure and stands for the value that is missing. */
export function fail(run: Run, at: number, why: string): null {
  run.failure ??= { at, why };
  return null;
}

/** Whether there are steps left for this work. */
export function spend(run: Run, at: number, steps: number): boolean {
  run.stepsLeft -= steps;
  if (run.stepsLeft >= 0) return run.failure === undefined;
  fail(run, at, `the evaluation takes more than ${limits.steps} steps`);
  return false;
}
