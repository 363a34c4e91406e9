import type { Checked } from './check.ts';
import { costOf } from './cost-standard.ts';
import { sizeOf, type CallEstimate, type CostShape } from './cost-table.ts';
import type { Decl } from './decl.ts';
import { accumulator, type CallExpr, type Expr, type Fold } from './expr.ts';
import type { Overload } from './overload.ts';
import { add, exactly, multiply, sum, union, unknownSize, zero, type CostRange } from './range.ts';
import { firstParam, isOptional, type CelType } from './type.ts';

/** The most that an expression can cost on values that the schema allows. */
export function estimateCost(checked: Checked, root: Decl): number {
  return costOfExpr(checked.expr, { checked, root, sizes: new Map(), paths: new Map(), loops: undefined })
    .max;
}

/** The schema path of an expression's value: a variable, then field names, `@items`, `@keys`, `@values`. */
type Path = readonly string[];
type Loop = { readonly variable: string; readonly path: Path | undefined; readonly outer: Loop | undefined };

type Estimate = {
  readonly checked: Checked;
  readonly root: Decl;
  readonly sizes: Map<Expr, CostRange>;
  readonly paths: Map<Expr, Path>;
  readonly loops: Loop | undefined;
};

const one = exactly(1);

function costOfExpr(expr: Expr, estimate: Estimate): CostRange {
  switch (expr.op) {
    case 'literal':
      return zero;
    case 'ident':
      remember(estimate, expr, identPath(expr.name, estimate.loops));
      return one;
    case 'select':
      return selectCost(expr, estimate);
    case 'call':
      return callCost(expr, estimate);
    case 'list':
      return sum(...expr.items.map((each) => costOfExpr(each, estimate)), exactly(10));
    case 'map':
      return sum(...expr.entries.flat().map((each) => costOfExpr(each, estimate)), exactly(30));
    case 'fold':
      return foldCost(expr, estimate);
    case 'bind': {
      const target = costOfExpr(expr.target, estimate);
      const loops: Loop = { variable: expr.variable, path: undefined, outer: estimate.loops };
      return sum(target, target, exactly(13), costOfExpr(expr.body, { ...estimate, loops }));
    }
  }
}

function remember({ paths }: Estimate, expr: Expr, path: Path | undefined): void {
  if (path !== undefined) paths.set(expr, path);
}

function identPath(name: string, loops: Loop | undefined): Path | undefined {
  for (let each = loops; each !== undefined; each = each.outer) if (each.variable === name) return each.path;
  return name === accumulator ? undefined : [name];
}

function selectCost(expr: Extract<Expr, { op: 'select' }>, estimate: Estimate): CostRange {
  const operand = costOfExpr(expr.operand, estimate);
  if (expr.test) return operand;
  const path = estimate.paths.get(expr.operand);
  if (path !== undefined) estimate.paths.set(expr, [...path, expr.field]);
  const { kind } = estimate.checked.typeOf(expr.operand);
  return kind === 'map' || kind === 'object' || kind === 'param' ? add(operand, one) : operand;
}

/** The size that the schema allows at a path. */
function declaredSize(path: Path | undefined, root: Decl): CostRange | undefined {
  let decl: Decl | undefined = root;
  for (const step of path?.slice(1) ?? []) {
    if (step === '@keys') return zero;
    decl = step === '@items' || step === '@values' ? decl.item : decl.fields.get(step)?.decl;
    if (decl === undefined) return undefined;
  }
  return path === undefined ? undefined : { min: 0, max: decl.maxElements };
}

function literalSize(expr: Expr): CostRange | undefined {
  if (expr.op === 'literal') return exactly(sizeOf(expr.value));
  if (expr.op === 'list') return exactly(expr.items.length);
  return expr.op === 'map' ? exactly(expr.entries.length) : undefined;
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

const isScalar = (type: CelType): boolean =>
  scalars.has(type.kind) || (isOptional(type) && isScalar(firstParam(type)));

function sizeOfExpr(expr: Expr, { sizes, paths, root, checked }: Estimate): CostRange {
  const known = sizes.get(expr) ?? literalSize(expr) ?? declaredSize(paths.get(expr), root);
  return known ?? (isScalar(checked.typeOf(expr)) ? one : unknownSize);
}

function shapeOf(expr: Expr, estimate: Estimate): CostShape {
  const type = estimate.checked.typeOf(expr);
  const { kind } = firstParam(type);
  const path = estimate.paths.get(expr);
  const itemSize =
    type.kind === 'list' && (kind === 'string' || kind === 'bytes')
      ? (declaredSize(path === undefined ? undefined : [...path, '@items'], estimate.root) ?? unknownSize)
      : undefined;
  return {
    size: sizeOfExpr(expr, estimate),
    itemSize,
    isList: type.kind === 'list',
    literal: expr.op === 'literal' ? expr.value : undefined,
  };
}

function callCost(expr: CallExpr, estimate: Estimate): CostRange {
  const args = expr.args.map((each) => costOfExpr(each, estimate));
  const [first = zero, second = zero, third = zero] = args;
  if (expr.name === '_&&_' || expr.name === '_||_') return { min: first.min, max: add(first, second).max };
  if (expr.name === '_?_:_') {
    const [, yes, no] = expr.args;
    if (yes !== undefined && no !== undefined)
      estimate.sizes.set(expr, union(sizeOfExpr(yes, estimate), sizeOfExpr(no, estimate)));
    return add(first, union(second, third));
  }
  if (expr.name === '_?._') return add(first, one);
  return plainCost(expr, sum(...args), estimate);
}

function plainCost(expr: CallExpr, args: CostRange, estimate: Estimate): CostRange {
  const overloads = estimate.checked.calls.get(expr) ?? [];
  const member = overloads[0]?.member === true && expr.target !== undefined ? expr.target : undefined;
  const target = member === undefined ? zero : costOfExpr(member, estimate);
  if (expr.name === '_[_]') indexPath(expr, overloads, estimate);
  const shapes = expr.args.map((each) => shapeOf(each, estimate));
  const receiver = member === undefined ? undefined : shapeOf(member, estimate);
  const found = overloads.map((each) => costOf(each).estimate?.(receiver, shapes) ?? usual);
  const [firstFound, ...others] = found;
  if (firstFound === undefined) return zero;
  const size = others.reduce<CostRange | undefined>((all, each) => wider(all, each.size), firstFound.size);
  if (size !== undefined) estimate.sizes.set(expr, size);
  return sum(
    target,
    args,
    others.reduce((all, each) => union(all, each.cost), firstFound.cost),
  );
}

const usual: CallEstimate = { cost: one };

const wider = (left: CostRange | undefined, right: CostRange | undefined): CostRange | undefined =>
  left === undefined || right === undefined ? (left ?? right) : union(left, right);

function indexPath(expr: CallExpr, overloads: readonly Overload[], { paths }: Estimate): void {
  const [of] = expr.args;
  const path = of === undefined ? undefined : paths.get(of);
  if (path === undefined) return;
  const inMap = overloads.some(({ id }) => id.startsWith('_[_](map'));
  paths.set(expr, [...path, inMap ? '@values' : '@items']);
}

function foldCost(expr: Fold, estimate: Estimate): CostRange {
  const range = costOfExpr(expr.range, estimate);
  const init = costOfExpr(expr.init, estimate);
  const path = estimate.paths.get(expr.range);
  const step = estimate.checked.typeOf(expr.range).kind === 'map' ? '@keys' : '@items';
  const accu: Loop = { variable: accumulator, path: undefined, outer: estimate.loops };
  const loops: Loop = {
    variable: expr.variable,
    path: path === undefined ? undefined : [...path, step],
    outer: accu,
  };
  const inside = { ...estimate, loops };
  const each = add(costOfExpr(expr.condition, inside), costOfExpr(expr.step, inside));
  const result = costOfExpr(expr.result, { ...estimate, loops: accu });
  const count = sizeOfExpr(expr.range, estimate);
  if (expr.init.op === 'list') estimate.sizes.set(expr, count);
  return sum(range, init, result, multiply(count, each));
}
