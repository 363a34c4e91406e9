import type { CompiledCondition, Tree } from './condition.ts';
import { limits } from './limits.ts';
import type { Node } from './node.ts';
import { samplesFor } from './samples.ts';
import { skeletonOf, type Skeleton, type SkeletonVariable } from './skeleton.ts';
import { startRun } from './run.ts';
import type { ExprValue } from './value.ts';

/** What is known about results. */
export type Known = {
  /** The result is never an empty list. */
  readonly isNeverEmpty?: boolean;
};

/** Whether no result makes the condition true. Also false if that could not be determined. */
export const neverTrue = ({ tree }: CompiledCondition, known: Known = {}): boolean =>
  !outcomes(tree, known).has(true);

/** Whether every result makes the condition true or fail. */
export const alwaysTrue = ({ tree }: CompiledCondition, known: Known = {}): boolean => {
  const found = outcomes(tree, known);
  return found.has(true) && !found.has(false);
};

/** The source of alternatives of `||` and `? :` that no result makes true. */
export const deadBranches = ({ text, tree }: CompiledCondition, known: Known = {}): readonly string[] =>
  alternativesOf(tree.root)
    .filter((root) => !outcomes({ ...tree, root }, known).has(true))
    .map(({ from, to }) => text.slice(from, to).trim());

function alternativesOf(node: Node): readonly Node[] {
  if (node.type === 'choice') return [node.chosen, node.otherwise].flatMap(orItself);
  if (node.type !== 'binary') return [];
  if (node.operator === '||') return [node.left, node.right].flatMap(orItself);
  return node.operator === '&&' ? [node.left, node.right].flatMap(alternativesOf) : [];
}

/** The alternatives of a part, or the part itself. */
function orItself(node: Node): readonly Node[] {
  const inner = alternativesOf(node);
  return inner.length === 0 || (node.type === 'binary' && node.operator === '&&') ? [node, ...inner] : inner;
}

const everything: ReadonlySet<boolean> = new Set([true, false]);
const mostCases = 4096;

/**
 * The value of a condition changes only at the constants that it compares with. So it is enough to try each constant
 * and one value between each two. Sub-expressions are independent variables, so "never" and "always" are certain, and
 * other answers are not.
 */
function outcomes(tree: Tree, { isNeverEmpty = false }: Known): ReadonlySet<boolean> {
  const { skeleton, variables } = skeletonOf(tree);
  const samples = variables.map((variable) => ({
    variable,
    values: samplesFor(variable).filter(
      (value) => !(isNeverEmpty && variable.isLengthOfResult && value === 0n),
    ),
  }));
  if (samples.reduce((product, { values }) => product * values.length, 1) > mostCases) return everything;
  const found = new Set<boolean>();
  let stepsLeft: number = limits.steps;
  for (const assignment of assignments(samples)) {
    const run = startRun(null);
    run.stepsLeft = stepsLeft;
    const value = skeleton(run, assignment);
    stepsLeft = run.stepsLeft;
    if (stepsLeft < 0) return everything;
    if (run.failure === undefined && typeof value === 'boolean') found.add(value);
    if (found.size === 2) break;
  }
  return found;
}

type Samples = readonly { readonly variable: SkeletonVariable; readonly values: readonly ExprValue[] }[];

function* assignments(samples: Samples): Generator<Parameters<Skeleton>[1]> {
  const [first, ...rest] = samples;
  if (first === undefined) {
    yield new Map();
    return;
  }
  for (const assignment of assignments(rest)) {
    for (const value of first.values) yield new Map([...assignment, [first.variable.key, value]]);
  }
}
