import { shorten } from '#base/text.ts';
import type { ConditionProgram } from './compile.ts';
import type { BinaryOperator, Node, NodeOf } from './node.ts';
import { limits } from './limits.ts';
import { spend, startRun, type Evaluation } from './run.ts';
import { showValue } from './show.ts';
import { isList, type ExprValue } from './value.ts';

const mostLines = 8;
const longestPart = 60;
const stepsLeft = 2 * limits.steps;

/** Why a condition has its value: the values in it, then the comparisons, then the whole. */
export function explain(
  source: string,
  root: Node,
  program: ConditionProgram,
  result: ExprValue,
): readonly string[] {
  const site: Site = { root, source, program, result, lines: new Set(), answers: new Map(), stepsLeft };
  // The whole first: its value is shown even if the steps do not suffice for all parts.
  ask(site, root);
  visit(site, root);
  const lines = [...site.lines];
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 2), '…', ...lines.slice(-1)];
}

type Site = {
  readonly root: Node;
  readonly source: string;
  readonly program: ConditionProgram;
  readonly result: ExprValue;
  /** A part that occurs twice is shown once. */
  readonly lines: Set<string>;
  readonly answers: Map<Node, Answer>;
  /** For all parts together. */
  stepsLeft: number;
};

type Answer =
  | { readonly type: 'unknown' }
  | { readonly type: 'value'; readonly value: ExprValue }
  | { readonly type: 'failed'; readonly why: string };

function visit(site: Site, node: Node): Answer {
  if (site.lines.size > 2 * mostLines) return ask(site, node);
  switch (node.type) {
    case 'binary':
      return visitBinary(site, node);
    case 'unary':
      if (node.operator === '!') visit(site, node.of);
      break;
    case 'choice':
      visit(site, isTrue(visit(site, node.when)) ? node.chosen : node.otherwise);
      break;
    case 'each':
      visitEach(site, node);
      break;
    default:
      break;
  }
  return addLine(site, node);
}

const isTrue = (answer: Answer): boolean => answer.type === 'value' && answer.value === true;

const comparisons: ReadonlySet<BinaryOperator> = new Set([
  '==',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'in',
  'not in',
  'matches',
  'contains',
  'startsWith',
  'endsWith',
] as const);

function visitBinary(site: Site, node: NodeOf<'binary'>): Answer {
  if (node.operator === '&&' || node.operator === '||') {
    for (const side of sidesOf(node)) {
      const answer = visit(site, side);
      // Sides that were not evaluated did not decide.
      if (answer.type !== 'value' || answer.value === (node.operator === '||')) break;
    }
  } else if (comparisons.has(node.operator)) {
    for (const side of [node.left, node.right]) if (isWorthShowing(side)) visit(site, side);
  }
  return addLine(site, node);
}

/** All sides of `a && b && c`, in order. */
function sidesOf(node: NodeOf<'binary'>): readonly Node[] {
  const sides: Node[] = [];
  let rest: Node = node;
  while (rest.type === 'binary' && rest.operator === node.operator) {
    sides.push(rest.right);
    rest = rest.left;
  }
  return [rest, ...sides.reverse()];
}

/** Whether the value of a part is not obvious from its source. */
function isWorthShowing(node: Node): boolean {
  if (node.type === 'literal' || node.type === 'list' || node.type === 'map') return false;
  if (node.type === 'unary') return isWorthShowing(node.of);
  return !(node.type === 'binary' && node.operator === '..');
}

/** The value of the closure that ends the iteration. */
const settledBy: ReadonlyMap<string, boolean> = new Map([
  ['all', false],
  ['any', true],
  ['none', true],
]);

/** The answer of the list; the item that settled the loop becomes a line. */
function visitEach(site: Site, node: NodeOf<'each'>): Answer {
  const list = isWorthShowing(node.list) ? visit(site, node.list) : ask(site, node.list);
  const settling = settledBy.get(node.name);
  if (settling === undefined || list.type !== 'value' || !isList(list.value)) return list;
  const at = settlingItem(site, node, list.value, settling);
  if (at !== undefined) site.lines.add(`item ${at} = ${showValue(list.value[at] ?? null, longestPart)}`);
  return list;
}

function settlingItem(
  site: Site,
  { at, body }: NodeOf<'each'>,
  list: readonly ExprValue[],
  settling: boolean,
): number | undefined {
  const evaluate = site.program.parts.get(body);
  const cost = site.program.sizes.get(body) ?? 1;
  const run = borrowRun(site);
  const found = list.findIndex((item) => {
    run.item = item;
    return !spend(run, at, cost) || evaluate?.(run) === settling;
  });
  site.stepsLeft += run.stepsLeft;
  return found < 0 || run.failure !== undefined ? undefined : found;
}

function addLine(site: Site, node: Node): Answer {
  const answer = ask(site, node);
  if (answer.type === 'unknown') return answer;
  const text = shorten(site.source.slice(node.from, node.to).replaceAll(/\s+/g, ' '), longestPart);
  if (text === '') return answer;
  const line = `${text}${wordsFor(node, answer)}`;
  // Shortened texts can be equal; the whole is always the last line.
  if (node === site.root) site.lines.delete(line);
  site.lines.add(line);
  return answer;
}

function wordsFor(node: Node, answer: Exclude<Answer, { type: 'unknown' }>): string {
  if (answer.type === 'failed') return ` failed: ${shorten(answer.why, 2 * longestPart)}`;
  if (typeof answer.value === 'boolean' && !isPlainAccess(node)) return ` is ${answer.value}`;
  return ` = ${showValue(answer.value, longestPart)}`;
}

const isPlainAccess = (node: Node): boolean =>
  node.type === 'name' || node.type === 'member' || node.type === 'index';

function ask(site: Site, node: Node): Answer {
  const known = site.answers.get(node);
  if (known !== undefined) return known;
  const evaluate = site.program.parts.get(node);
  if (evaluate === undefined || site.stepsLeft <= 0) return { type: 'unknown' };
  const run = borrowRun(site);
  const allowed = run.stepsLeft;
  const value = evaluate(run);
  site.stepsLeft += run.stepsLeft;
  // Other parts used up the steps: this part did not fail.
  if (run.stepsLeft < 0 && allowed < limits.steps) return { type: 'unknown' };
  const answer: Answer =
    run.failure === undefined ? { type: 'value', value } : { type: 'failed', why: run.failure.why };
  site.answers.set(node, answer);
  return answer;
}

/** An evaluation that takes its steps from those of the whole explanation. */
function borrowRun(site: Site): Evaluation {
  const run = startRun(site.result);
  run.stepsLeft = Math.min(run.stepsLeft, site.stepsLeft);
  site.stepsLeft -= run.stepsLeft;
  return run;
}
