import type { Each } from './node.ts';
import { fail, spend, type Evaluate, type Evaluation } from './run.ts';
import { isList, nounOf, type ExprValue } from './value.ts';

export type Loop = {
  readonly at: number;
  readonly name: Each;
  readonly body: Evaluate;
  /** The cost of one iteration: the size of the body. */
  readonly cost: number;
};

/** How a function combines the values of its closure. */
const rules: Readonly<Record<Each, (run: Evaluation, loop: Loop, list: readonly ExprValue[]) => ExprValue>> =
  {
    all: (run, loop, list) => list.every((item) => holds(run, loop, item)),
    none: (run, loop, list) => !list.some((item) => holds(run, loop, item)),
    any: (run, loop, list) => list.some((item) => holds(run, loop, item)),
    one: (run, loop, list) => tally(run, loop, list) === 1,
    count: (run, loop, list) => BigInt(tally(run, loop, list)),
    filter: (run, loop, list) => list.filter((item) => holds(run, loop, item)),
    map: (run, loop, list) => list.map((item) => turn(run, loop, item)),
  };

export function loopOver(run: Evaluation, loop: Loop, list: ExprValue): ExprValue {
  if (!isList(list)) return fail(run, loop.at, `${loop.name} takes a list, not ${nounOf(list)}`);
  const outer = run.item;
  const value = rules[loop.name](run, loop, list);
  run.item = outer;
  return value;
}

function turn(run: Evaluation, loop: Loop, item: ExprValue): ExprValue {
  if (!spend(run, loop.at, loop.cost)) return null;
  run.item = item;
  return loop.body(run);
}

function holds(run: Evaluation, loop: Loop, item: ExprValue): boolean {
  const answer = turn(run, loop, item);
  if (typeof answer === 'boolean') return answer;
  fail(run, loop.at, `the closure of ${loop.name} must yield true or false, not ${nounOf(answer)}`);
  return false;
}

const tally = (run: Evaluation, loop: Loop, list: readonly ExprValue[]): number =>
  list.reduce<number>((found, item) => (holds(run, loop, item) ? found + 1 : found), 0);
