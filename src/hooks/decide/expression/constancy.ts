import type { CompiledCondition, Tree } from './condition.ts';
import { limits } from './limits.ts';
import type { Node } from './node.ts';
import { samplesFor } from './samples.ts';
import { skeletonOf, type Skeleton, type SkeletonVariable } from './skeleton.ts';
import { startRun } from './run.ts';
import type { ExprValue } from './value.ts';

/** What is known of results. */
export type Known = {
  /** An empty list never comes to the condition. */
  readonly isNeverEmpty?: boolean;
};

/** Whether no result at all can make the condition true. False also where that could not be found out. */
export const neverTrue = ({ tree }: CompiledCondition, known: Known = {}): boolean =>
  !outcomes(tree, known).has(true);

/** Whether every result makes the condition true, or an error. */
export const alwaysTrue = ({ tree }: CompiledCondition, known: Known = {}): boolean => {
  const found = outcomes(tree, known);
  return found.has(true) && !found.has(false);
};

/** The alternatives in a condition, of `||` and `? :`, that no result can make true, as they are written. */
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

/** The alternatives inside one, or itself where there are none. */
function orItself(node: Node): readonly Node[] {
  const inner = alternativesOf(node);
  return inner.length === 0 || (node.type === 'binary' && node.operator === '&&') ? [node, ...inner] : inner;
}

const everything: ReadonlySet<boolean> = new Set([true, false]);
const mostCases = 4096;

/**
 * A condition's answer changes only at the constants that it compares with: trying each of them, and a value in
 * every gap between, tries everything. Sub-expressions count as free variables, so that "never" and "always" are
 * certain and the rest is not.
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
