import type { Checked } from './check.ts';
import type { Expr } from './expr.ts';
import type { Meter } from './meter.ts';
import type { CelValue } from './value.ts';

/** One evaluation: its variables by number, and what it has cost so far. */
export type EvalFrame = { readonly meter: Meter; readonly slots: (CelValue | undefined)[] };
export type EvalStep = (frame: EvalFrame) => CelValue;

/** Runs an expression on the values of its variables. Throws Exhausted when that costs too much. */
export type CelProgram = (meter: Meter, values: readonly (CelValue | undefined)[]) => CelValue;

/** Variables in scope and their slots. */
export type Names = { readonly name: string; readonly slot: number; readonly outer: Names | undefined };

export type Planner = {
  readonly checked: Checked;
  readonly plan: (expr: Expr, names: Names | undefined) => EvalStep;
};

/** The first slot that no variable in scope has. */
export const nextSlot = (names: Names | undefined): number => {
  let next = 0;
  for (let each = names; each !== undefined; each = each.outer) next = Math.max(next, each.slot + 1);
  return next;
};
