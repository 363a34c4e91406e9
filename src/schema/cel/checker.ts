import { assignAll, substitute, type Bindings } from './assignable.ts';
import type { Expr } from './expr.ts';
import { typeIdents } from './functions.ts';
import type { Issue } from './issue.ts';
import type { Overload } from './overload.ts';
import { errorType, formatType, paramType, type CelType } from './type.ts';

/** Variables by name, the innermost first. */
export type VariableScope = {
  readonly name: string;
  readonly type: CelType;
  readonly outer: VariableScope | undefined;
};

/** A type check under way. */
export type Checker = {
  readonly bindings: Bindings;
  readonly types: Map<Expr, CelType>;
  readonly calls: Map<Expr, readonly Overload[]>;
  /** Expressions that are the name of a type. */
  readonly typeNames: Map<Expr, string>;
  /** Variables that do not come from a loop. */
  readonly used: Set<string>;
  readonly issues: Issue[];
  fresh: number;
};

export const newChecker = (): Checker => ({
  bindings: new Map(),
  types: new Map(),
  calls: new Map(),
  typeNames: new Map(),
  used: new Set(),
  issues: [],
  fresh: 0,
});

export function lookUp(scope: VariableScope | undefined, name: string): VariableScope | undefined {
  for (let each = scope; each !== undefined; each = each.outer) if (each.name === name) return each;
  return undefined;
}

export const freshType = (checker: Checker): CelType => paramType(`_var${checker.fresh++}`);

/** Whether the right type is assignable to the left one; stores the bindings of type parameters. */
export const assign = (checker: Checker, left: CelType, right: CelType): boolean =>
  assignAll(checker.bindings, [left], [right]);

export const resolved = (checker: Checker, type: CelType, rest?: CelType): CelType =>
  substitute(checker.bindings, type, rest);

export function report(checker: Checker, at: number, message: string): CelType {
  checker.issues.push({ at, message });
  return errorType;
}

export const mismatch = (checker: Checker, at: number, wanted: CelType, found: CelType): CelType =>
  report(checker, at, `expected type '${shown(checker, wanted)}' but found '${shown(checker, found)}'`);

const shown = (checker: Checker, type: CelType): string => formatType(resolved(checker, type));

export const undeclared = (checker: Checker, at: number, name: string): CelType =>
  report(checker, at, `undeclared reference to '${name}' (in container '')`);

/** `a.b.c` as one name; undefined when the expression is not a chain of names. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.op === 'ident') return expr.name;
  if (expr.op !== 'select' || expr.test) return undefined;
  const outer = qualifiedName(expr.operand);
  return outer === undefined ? undefined : `${outer}.${expr.field}`;
}

/** The type of a name that means a type, such as `string`. */
export function typeIdent(checker: Checker, expr: Expr, name: string): CelType | undefined {
  const type = typeIdents.get(name);
  if (type !== undefined) checker.typeNames.set(expr, name);
  return type;
}
