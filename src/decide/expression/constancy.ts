import type { Condition } from './condition.ts';
import { limits } from './limits.ts';
import { samplesFor } from './samples.ts';
import { skeletonOf, type Skeleton, type Variable } from './skeleton.ts';
import { startRun } from './run.ts';
import type { Value } from './value.ts';

/** Whether no result at all can make the condition true. False also where that could not be found out. */
export const neverTrue = (condition: Condition): boolean => !outcomes(condition).has(true);

/** Whether every result makes the condition true, or an error. */
export const alwaysTrue = (condition: Condition): boolean => {
  const found = outcomes(condition);
  return found.has(true) && !found.has(false);
};

const everything: ReadonlySet<boolean> = new Set([true, false]);
const mostCases = 4096;

/**
 * A condition's answer changes only at the constants that it compares with: trying each of them, and a value in
 * every gap between, tries everything. Sub-expressions count as free variables, so that "never" and "always" are
 * certain and the rest is not.
 */
function outcomes({ tree }: Condition): ReadonlySet<boolean> {
  const { skeleton, variables } = skeletonOf(tree);
  const samples = variables.map((variable) => ({ variable, values: samplesFor(variable) }));
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

type Samples = readonly { readonly variable: Variable; readonly values: readonly Value[] }[];

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
