import { inOrder, isEqual, isIn } from './compare.ts';
import type { Tree } from './condition.ts';
import { partsOf, type ComparisonOperator, type Node, type NodeOf } from './node.ts';
import { isInRange } from './range.ts';
import { startRun, type Evaluation } from './run.ts';
import { types, type Type } from './type.ts';
import { isList, type ExprValue } from './value.ts';

/** The logic of a condition over its sub-expressions, each of which is a variable. */
export type Skeleton = (run: Evaluation, assignment: ReadonlyMap<string, ExprValue>) => ExprValue;

export type SkeletonVariable = {
  readonly key: string;
  readonly type: Type;
  /** Lengths and counts. */
  readonly natural: boolean;
  /** It is `len(result)`. */
  readonly isLengthOfResult: boolean;
  /** The constants that it is compared with. */
  readonly constants: Set<ExprValue>;
};

export function skeletonOf(tree: Tree): {
  readonly skeleton: Skeleton;
  readonly variables: readonly SkeletonVariable[];
} {
  const site: Site = { tree, variables: new Map() };
  const skeleton = build(site, tree.root);
  return { skeleton, variables: [...site.variables.values()] };
}

type Site = { readonly tree: Tree; readonly variables: Map<string, SkeletonVariable> };

function build(site: Site, node: Node): Skeleton {
  const constant = constantOf(site, node);
  if (constant !== undefined) return () => constant;
  switch (node.type) {
    case 'unary': {
      if (node.operator !== '!') break;
      const of = build(site, node.of);
      return (run, assignment) => not(of(run, assignment));
    }
    case 'choice': {
      const [when, chosen, otherwise] = [node.when, node.chosen, node.otherwise].map((part) =>
        build(site, part),
      );
      if (when === undefined || chosen === undefined || otherwise === undefined) break;
      return (run, assignment) => (when(run, assignment) === true ? chosen : otherwise)(run, assignment);
    }
    case 'binary':
      return buildBinary(site, node);
    default:
      break;
  }
  return variable(site, node, []);
}

const not = (value: ExprValue): ExprValue => (typeof value === 'boolean' ? !value : value);

function buildBinary(site: Site, node: NodeOf<'binary'>): Skeleton {
  switch (node.operator) {
    case '&&':
    case '||': {
      const [left, right] = [build(site, node.left), build(site, node.right)];
      const decisive = node.operator === '||';
      return (run, assignment) => {
        const first = left(run, assignment);
        return first === decisive ? first : right(run, assignment);
      };
    }
    case '==':
    case '!=':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return buildComparison(site, node, node.operator);
    case 'in':
    case 'not in':
      return buildIn(site, node);
    default:
      return variable(site, node, []);
  }
}

function buildComparison(site: Site, node: NodeOf<'binary'>, operator: ComparisonOperator): Skeleton {
  const [left, right] = [constantOf(site, node.left), constantOf(site, node.right)];
  // The relation between two variables is unknown: their comparison is one variable.
  if (left === undefined && right === undefined && keyOf(node.left) !== keyOf(node.right))
    return variable(site, node, []);
  const constants = [left, right].filter((value) => value !== undefined);
  const sides = [node.left, node.right].map((side) => {
    const known = constantOf(site, side);
    return known === undefined ? variable(site, side, constants) : (): ExprValue => known;
  });
  const { at } = node;
  return (run, assignment) => {
    const [one = null, other = null] = sides.map((side) => side(run, assignment));
    if (operator === '==') return isEqual(run, at, one, other);
    if (operator === '!=') return !isEqual(run, at, one, other);
    return inOrder(run, at, operator, [one, other]);
  };
}

const mostListed = 50;

function buildIn(site: Site, node: NodeOf<'binary'>): Skeleton {
  const range = constantBounds(site, node.right);
  if (range !== undefined && constantOf(site, node.left) === undefined) {
    const item = variable(site, node.left, range);
    return (run, assignment) => {
      const found = isInRange(run, node.at, item(run, assignment), range);
      return node.operator === 'in' ? found : not(found);
    };
  }
  const list = constantOf(site, node.right);
  if (list === undefined || !isList(list) || list.length > mostListed) return variable(site, node, []);
  const item =
    constantOf(site, node.left) === undefined ? variable(site, node.left, list) : build(site, node.left);
  return (run, assignment) => {
    const found = isIn(run, node.at, item(run, assignment), list);
    return node.operator === 'in' ? found : not(found);
  };
}

function constantBounds(site: Site, node: Node): readonly [ExprValue, ExprValue] | undefined {
  if (node.type !== 'binary' || node.operator !== '..') return undefined;
  const [from, to] = [constantOf(site, node.left), constantOf(site, node.right)];
  return from === undefined || to === undefined ? undefined : [from, to];
}

function variable(site: Site, node: Node, constants: readonly ExprValue[]): Skeleton {
  const key = keyOf(node);
  const known = site.variables.get(key) ?? {
    key,
    type: site.tree.types.get(node) ?? types.any,
    natural: (node.type === 'call' && node.name === 'len') || (node.type === 'each' && node.name === 'count'),
    isLengthOfResult: isLengthOfResult(node),
    constants: new Set<ExprValue>(),
  };
  for (const constant of constants) known.constants.add(constant);
  site.variables.set(key, known);
  return (_, assignment) => assignment.get(key) ?? null;
}

function isLengthOfResult(node: Node): boolean {
  if (node.type !== 'call' || node.name !== 'len') return false;
  const [of] = node.args;
  return of?.type === 'name' && of.name === 'result';
}

/** A key that is the same for parts that differ only in spaces and brackets. */
function keyOf(node: Node): string {
  const own = Object.entries(node).flatMap(([name, value]) =>
    typeof value !== 'object' && !['from', 'to', 'at'].includes(name)
      ? [`${name}:${typeof value}:${JSON.stringify(String(value))}`]
      : [],
  );
  return `(${[...own, ...partsOf(node).map(keyOf)].join(' ')})`;
}

function constantOf(site: Site, node: Node): ExprValue | undefined {
  if (!isConstant(node)) return undefined;
  return site.tree.program.parts.get(node)?.(startRun(null));
}

const isConstant = (node: Node): boolean =>
  node.type !== 'name' && node.type !== 'item' && partsOf(node).every(isConstant);
