import { calculate, type Arithmetic } from './arithmetic.ts';
import { inOrder, isEqual, isIn, type Order } from './compare.ts';
import { matchKnown, matchMade, patternOf } from './match.ts';
import type { BinaryOperator, Node, NodeOf } from './node.ts';
import { isInRange, rangeOf } from './range.ts';
import { fail, type Evaluate, type Evaluation } from './run.ts';
import { join, testText, type TextTest } from './text.ts';
import { nounOf, type ExprValue } from './value.ts';

type Part = (node: Node) => Evaluate;

/** An operator with two sides, as a function. */
export function compileBinary(node: NodeOf<'binary'>, part: Part): Evaluate {
  if (node.operator === '&&' || node.operator === '||') return compileLogic(node, part);
  if (node.operator === 'matches') return compileMatches(node, part);
  if (node.operator === 'in' || node.operator === 'not in') return compileIn(node, part);
  const [left, right] = [part(node.left), part(node.right)];
  const { at } = node;
  const apply = strict[node.operator];
  return (run) => apply(run, at, left(run), right(run));
}

type Strict = Exclude<BinaryOperator, '&&' | '||' | 'matches' | 'in' | 'not in'>;
type Apply = (run: Evaluation, at: number, left: ExprValue, right: ExprValue) => ExprValue;

const order =
  (operator: Order, whole: (left: bigint, right: bigint) => boolean): Apply =>
  (run, at, left, right) =>
    typeof left === 'bigint' && typeof right === 'bigint'
      ? whole(left, right)
      : inOrder(run, at, operator, [left, right]);

const arithmetic =
  (operator: Arithmetic): Apply =>
  (run, at, left, right) =>
    calculate(run, at, operator, [left, right]);

const onTexts =
  (operator: TextTest): Apply =>
  (run, at, left, right) =>
    testText(run, at, operator, [left, right]);

const strict: Readonly<Record<Strict, Apply>> = {
  '==': isEqual,
  '!=': (run, at, left, right) => !isEqual(run, at, left, right),
  '<': order('<', (left, right) => left < right),
  '>': order('>', (left, right) => left > right),
  '<=': order('<=', (left, right) => left <= right),
  '>=': order('>=', (left, right) => left >= right),
  contains: onTexts('contains'),
  startsWith: onTexts('startsWith'),
  endsWith: onTexts('endsWith'),
  '..': rangeOf,
  '+': (run, at, left, right) =>
    typeof left === 'string' && typeof right === 'string'
      ? join(run, at, left, right)
      : calculate(run, at, '+', [left, right]),
  '-': arithmetic('-'),
  '*': arithmetic('*'),
  '/': arithmetic('/'),
  '%': arithmetic('%'),
  '**': arithmetic('**'),
};

function compileLogic(node: NodeOf<'binary'>, part: Part): Evaluate {
  const [left, right] = [part(node.left), part(node.right)];
  const { at, operator } = node;
  /** The value of the left side with which the right side is not evaluated. */
  const decisive = operator === '||';
  const truth = (run: Evaluation, value: ExprValue): boolean => {
    if (typeof value === 'boolean') return value;
    fail(run, at, `${operator} takes true or false, not ${nounOf(value)}`);
    return decisive;
  };
  return (run) => (truth(run, left(run)) === decisive ? decisive : truth(run, right(run)));
}

function compileMatches(node: NodeOf<'binary'>, part: Part): Evaluate {
  const [left, right] = [part(node.left), part(node.right)];
  const { at } = node;
  const known =
    node.right.type === 'literal' && typeof node.right.value === 'string'
      ? patternOf(node.right.value)
      : undefined;
  if (known?.type === 'compiled') return (run) => matchKnown(run, at, left(run), known.regex);
  return (run) => matchMade(run, at, left(run), right(run));
}

function compileIn(node: NodeOf<'binary'>, part: Part): Evaluate {
  const positive = node.operator === 'in';
  const found = compileMembership(node, part);
  return (run) => {
    const answer = found(run);
    return typeof answer === 'boolean' ? answer === positive : answer;
  };
}

function compileMembership({ at, left, right }: NodeOf<'binary'>, part: Part): Evaluate {
  const item = part(left);
  if (right.type === 'binary' && right.operator === '..') {
    const [from, to] = [part(right.left), part(right.right)];
    return (run) => isInRange(run, at, item(run), [from(run), to(run)]);
  }
  const within = part(right);
  return (run) => isIn(run, at, item(run), within(run));
}
