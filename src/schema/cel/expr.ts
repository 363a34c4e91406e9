import type { CelValue } from './value.ts';

/** An expression after parsing, with its macros written out. `at` is the offset that errors point at. */
export type Expr =
  | { readonly op: 'literal'; readonly at: number; readonly value: CelValue }
  | { readonly op: 'ident'; readonly at: number; readonly name: string }
  | {
      readonly op: 'select';
      readonly at: number;
      readonly operand: Expr;
      readonly field: string;
      /** `has(x.field)`: only whether it is there. */
      readonly test: boolean;
    }
  | CallExpr
  | { readonly op: 'list'; readonly at: number; readonly items: readonly Expr[] }
  | {
      readonly op: 'map';
      readonly at: number;
      readonly entries: readonly (readonly [key: Expr, value: Expr])[];
    }
  | Fold
  | Bind;

/** Operators are calls too, by the names that the server gives them, such as `_+_`. */
export type CallExpr = {
  readonly op: 'call';
  readonly at: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
};

/** The comprehension behind `all`, `map` and similar macros: type check and cost use its parts, evaluation the macro. */
export type Fold = {
  readonly op: 'fold';
  readonly at: number;
  readonly macro: 'all' | 'exists' | 'exists_one' | 'map' | 'filter';
  readonly variable: string;
  readonly range: Expr;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
  readonly predicate: Expr | undefined;
  readonly transform: Expr | undefined;
};

/** `optMap` and `optFlatMap`: the body sees what the optional holds, if it holds anything. */
export type Bind = {
  readonly op: 'bind';
  readonly at: number;
  readonly flat: boolean;
  readonly variable: string;
  readonly target: Expr;
  readonly body: Expr;
};

/** The hidden variable in which a loop gathers its result. No rule can name it. */
export const accumulator = '__result__';
