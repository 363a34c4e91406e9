import { mostGeneral } from './assignable.ts';
import { checkOverloads } from './check-call.ts';
import {
  assign,
  freshType,
  lookUp,
  mismatch,
  newChecker,
  qualifiedName,
  report,
  resolved,
  typeIdent,
  undeclared,
  type Checker,
  type VariableScope,
} from './checker.ts';
import { accumulator, type Bind, type CallExpr, type Expr, type Fold } from './expr.ts';
import { overloadsOf } from './functions.ts';
import type { Issue } from './issue.ts';
import type { Overload } from './overload.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  firstParam,
  formatType,
  intType,
  isDynOrError,
  isOptional,
  listType,
  mapType,
  nullType,
  optionalType,
  secondParam,
  stringType,
  uintType,
  type CelType,
} from './type.ts';
import { kindOf } from './value.ts';

/** An expression that makes sense, with what the check found out about it. */
export type Checked = {
  readonly expr: Expr;
  readonly type: CelType;
  readonly typeOf: (expr: Expr) => CelType;
  readonly calls: ReadonlyMap<Expr, readonly Overload[]>;
  readonly typeNames: ReadonlyMap<Expr, string>;
  /** The variables that it names. */
  readonly used: ReadonlySet<string>;
};

/** Checks an expression against the types of its variables. */
export function checkExpression(
  expr: Expr,
  variables: ReadonlyMap<string, CelType>,
): Checked | readonly Issue[] {
  const checker = newChecker();
  let scope: VariableScope | undefined;
  for (const [name, type] of variables) scope = { name, type, outer: scope };
  check(checker, expr, scope);
  if (checker.issues.length > 0) return checker.issues;
  const typeOf = (each: Expr): CelType => resolved(checker, checker.types.get(each) ?? errorType, dynType);
  const { calls, typeNames, used } = checker;
  return { expr, type: typeOf(expr), typeOf, calls, typeNames, used };
}

function check(checker: Checker, expr: Expr, scope: VariableScope | undefined): CelType {
  const type = typeOf(checker, expr, scope);
  checker.types.set(expr, type);
  return type;
}

const literalTypes: Readonly<Record<string, CelType>> = {
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  null: nullType,
};

function typeOf(checker: Checker, expr: Expr, scope: VariableScope | undefined): CelType {
  switch (expr.op) {
    case 'literal':
      return literalTypes[kindOf(expr.value)] ?? dynType;
    case 'ident':
      return identType(checker, expr, scope);
    case 'select':
      return selectType(checker, expr, scope);
    case 'call':
      return callType(checker, expr, scope);
    case 'list':
      return listType(joined(checker, expr.items, scope) ?? freshType(checker));
    case 'map':
      return entriesType(checker, expr.entries, scope);
    case 'fold':
      return foldType(checker, expr, scope);
    case 'bind':
      return bindType(checker, expr, scope);
  }
}

function identType(
  checker: Checker,
  expr: Extract<Expr, { op: 'ident' }>,
  scope: VariableScope | undefined,
): CelType {
  const found = lookUp(scope, expr.name);
  if (found === undefined)
    return typeIdent(checker, expr, expr.name) ?? undeclared(checker, expr.at, expr.name);
  checker.used.add(expr.name);
  return found.type;
}

function selectType(
  checker: Checker,
  expr: Extract<Expr, { op: 'select' }>,
  scope: VariableScope | undefined,
): CelType {
  const name = qualifiedName(expr);
  const named = name === undefined ? undefined : typeIdent(checker, expr, name);
  if (named !== undefined) return named;
  const operand = check(checker, expr.operand, scope);
  const field = fieldType(checker, expr.at, operand, expr.field);
  return expr.test ? boolType : field;
}

/** The type of a field; fields of optionals are optional. */
function fieldType(checker: Checker, at: number, operand: CelType, field: string): CelType {
  const actual = resolved(checker, operand);
  const target = isOptional(actual) ? firstParam(actual) : actual;
  const type = plainFieldType(checker, at, target, field);
  return isOptional(actual) ? optionalType(type) : type;
}

function plainFieldType(checker: Checker, at: number, target: CelType, field: string): CelType {
  if (target.kind === 'map') return secondParam(target);
  if (target.kind === 'object')
    return target.fields?.get(field) ?? report(checker, at, `undefined field '${field}'`);
  if (target.kind === 'param') assign(checker, dynType, target);
  else if (!isDynOrError(target))
    report(checker, at, `type '${formatType(target)}' does not support field selection`);
  return dynType;
}

function callType(checker: Checker, expr: CallExpr, scope: VariableScope | undefined): CelType {
  const args = expr.args.map((each) => check(checker, each, scope));
  if (expr.name === '_?._') return optionalField(checker, expr, args);
  if (expr.name === '_&&_' || expr.name === '_||_') return logicType(checker, expr, args);
  if (expr.target === undefined) return checkOverloads(checker, expr, expr.name, { target: undefined, args });
  const space = qualifiedName(expr.target);
  const qualified = space === undefined ? undefined : `${space}.${expr.name}`;
  if (qualified !== undefined && overloadsOf(qualified).length > 0)
    return checkOverloads(checker, expr, qualified, { target: undefined, args });
  const target = check(checker, expr.target, scope);
  return checkOverloads(checker, expr, expr.name, { target, args });
}

function optionalField(checker: Checker, { at, args }: CallExpr, [operand]: readonly CelType[]): CelType {
  const [, field] = args;
  const name = field?.op === 'literal' && typeof field.value === 'string' ? field.value : '';
  const type = fieldType(checker, at, operand ?? dynType, name);
  return isOptional(type) && isOptional(resolved(checker, operand ?? dynType)) ? type : optionalType(type);
}

/** Each side is looked at by itself, so the error points at the side that is wrong. */
function logicType(checker: Checker, expr: CallExpr, args: readonly CelType[]): CelType {
  args.forEach((type, i) => {
    if (!assign(checker, type, boolType)) mismatch(checker, expr.args[i]?.at ?? expr.at, boolType, type);
  });
  checker.calls.set(expr, overloadsOf(expr.name));
  return boolType;
}

/** The one type of all parts of a literal. */
function joined(
  checker: Checker,
  items: readonly Expr[],
  scope: VariableScope | undefined,
): CelType | undefined {
  let all: CelType | undefined;
  for (const item of items) {
    const type = check(checker, item, scope);
    if (all === undefined) all = type;
    else if (assign(checker, all, type)) all = mostGeneral(resolved(checker, all), resolved(checker, type));
    else all = mismatch(checker, item.at, all, type);
  }
  return all;
}

function entriesType(
  checker: Checker,
  entries: readonly (readonly [Expr, Expr])[],
  scope: VariableScope | undefined,
): CelType {
  const keys = entries.map(([key]) => key);
  const values = entries.map(([, value]) => value);
  const key = joined(checker, keys, scope) ?? freshType(checker);
  return mapType(key, joined(checker, values, scope) ?? freshType(checker));
}

function foldType(checker: Checker, expr: Fold, scope: VariableScope | undefined): CelType {
  const range = resolved(checker, check(checker, expr.range, scope));
  const accu = check(checker, expr.init, scope);
  const outer: VariableScope = { name: accumulator, type: accu, outer: scope };
  const inner: VariableScope = { name: expr.variable, type: itemType(checker, expr.range, range), outer };
  check(checker, expr.condition, inner);
  const step = check(checker, expr.step, inner);
  if (!assign(checker, accu, step)) mismatch(checker, expr.step.at, accu, step);
  return resolved(checker, check(checker, expr.result, outer));
}

/** What a loop over a value sees: items of lists, keys of maps. */
function itemType(checker: Checker, range: Expr, type: CelType): CelType {
  if (type.kind === 'list' || type.kind === 'map') return firstParam(type);
  if (isDynOrError(type) || type.kind === 'param') {
    assign(checker, dynType, type);
    return dynType;
  }
  const why = `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
  return report(checker, range.at, why);
}

function bindType(checker: Checker, expr: Bind, scope: VariableScope | undefined): CelType {
  const target = resolved(checker, check(checker, expr.target, scope));
  if (!isOptional(target) && !isDynOrError(target))
    return mismatch(checker, expr.target.at, optionalType(dynType), target);
  const type = isOptional(target) ? firstParam(target) : dynType;
  const body = resolved(checker, check(checker, expr.body, { name: expr.variable, type, outer: scope }));
  if (!expr.flat) return optionalType(body);
  return isOptional(body) || isDynOrError(body)
    ? body
    : mismatch(checker, expr.body.at, optionalType(dynType), body);
}
