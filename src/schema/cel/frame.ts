import type { Checked } from './check.ts';
import type { Expr } from './expr.ts';
import type { Meter } from './meter.ts';
import type { Value } from './value.ts';

/** One evaluation: its variables by number, and what it has cost so far. */
export type Frame = { readonly meter: Meter; readonly slots: (Value | undefined)[] };
export type Step = (frame: Frame) => Value;

/** Runs an expression on the values of its variables. Throws Exhausted when that costs too much. */
export type Program = (meter: Meter, values: readonly (Value | undefined)[]) => Value;

/** Variables in scope and their slots. */
export type Names = { readonly name: string; readonly slot: number; readonly outer: Names | undefined };

export type Planner = {
  readonly checked: Checked;
  readonly plan: (expr: Expr, names: Names | undefined) => Step;
};

/** The first slot that no variable in scope has. */
export const nextSlot = (names: Names | undefined): number => {
  let next = 0;
  for (let each = names; each !== undefined; each = each.outer) next = Math.max(next, each.slot + 1);
  return next;
};
