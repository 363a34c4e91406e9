import { indexed, lengthOf, member, slice } from './access.ts';
import { negate } from './arithmetic.ts';
import { compileBinary } from './compile-binary.ts';
import { asFloat, asInt } from './convert.ts';
import { loopOver } from './each.ts';
import { partsOf, type Node, type NodeOf } from './node.ts';
import { fail, startRun, type Evaluate, type EvaluationFailure, type Evaluation } from './run.ts';
import { isNumeric, nounOf, type ExprValue } from './value.ts';

/** A checked syntax tree, compiled to functions. */
export type ConditionProgram = {
  readonly root: Evaluate;
  /** The function of every part, for explanations. */
  readonly parts: ReadonlyMap<Node, Evaluate>;
  /** The size of every part, which is the cost of one iteration over it. */
  readonly sizes: ReadonlyMap<Node, number>;
  /** The failure of a constant part. */
  readonly failure: EvaluationFailure | undefined;
};

export function compile(root: Node): ConditionProgram {
  const site: Site = { parts: new Map(), constants: new Set(), sizes: new Map(), folding: startRun(null) };
  const evaluate = build(site, root);
  return { root: evaluate, parts: site.parts, sizes: site.sizes, failure: site.folding.failure };
}

type Site = {
  readonly parts: Map<Node, Evaluate>;
  readonly constants: Set<Node>;
  readonly sizes: Map<Node, number>;
  /** All constants share the steps of one evaluation. */
  readonly folding: Evaluation;
};

function build(site: Site, node: Node): Evaluate {
  const parts = neededBy(node);
  for (const part of parts) build(site, part);
  site.sizes.set(
    node,
    parts.reduce((size, part) => size + (site.sizes.get(part) ?? 0), 1),
  );
  const evaluate = fold(site, node, assemble(site, node));
  site.parts.set(node, evaluate);
  return evaluate;
}

/** `in` with a range does not create the list. */
function neededBy(node: Node): readonly Node[] {
  if (node.type !== 'binary' || (node.operator !== 'in' && node.operator !== 'not in')) return partsOf(node);
  const { left, right } = node;
  return right.type === 'binary' && right.operator === '..' ? [left, right.left, right.right] : [left, right];
}

/** Constant parts are evaluated at compile time. */
function fold(site: Site, node: Node, evaluate: Evaluate): Evaluate {
  if (node.type === 'name' || node.type === 'item') return evaluate;
  if (!neededBy(node).every((part) => site.constants.has(part))) return evaluate;
  site.constants.add(node);
  if (node.type === 'literal' || site.folding.failure !== undefined) return evaluate;
  const value = evaluate(site.folding);
  return () => value;
}

function partOf(site: Site, node: Node): Evaluate {
  return site.parts.get(node) ?? ((run) => fail(run, node.at, 'this part was never compiled'));
}

function assemble(site: Site, node: Node): Evaluate {
  const part = (of: Node): Evaluate => partOf(site, of);
  switch (node.type) {
    case 'literal': {
      const { value } = node;
      return () => value;
    }
    case 'name':
      return (run) => run.result;
    case 'item':
      return (run) => run.item;
    case 'unary':
      return assembleUnary(node, part(node.of));
    case 'binary':
      return compileBinary(node, part);
    case 'choice':
      return assembleChoice(node, part);
    case 'call':
      return assembleCall(node, part);
    case 'each':
      return assembleEach(site, node);
    case 'list':
    case 'map':
      return assembleCollection(node, part);
    default:
      return assembleAccess(node, part);
  }
}

type Part = (node: Node) => Evaluate;

function assembleUnary({ at, operator }: NodeOf<'unary'>, of: Evaluate): Evaluate {
  if (operator === '-') return (run) => negate(run, at, of(run));
  return (run) => {
    const value = of(run);
    if (operator === '+')
      return isNumeric(value) ? value : fail(run, at, `+ takes a number, not ${nounOf(value)}`);
    return typeof value === 'boolean'
      ? !value
      : fail(run, at, `not takes true or false, not ${nounOf(value)}`);
  };
}

function assembleChoice(node: NodeOf<'choice'>, part: Part): Evaluate {
  const [when, chosen, otherwise] = [part(node.when), part(node.chosen), part(node.otherwise)];
  return (run) => {
    const answer = when(run);
    if (typeof answer !== 'boolean')
      return fail(run, node.at, `? takes true or false before it, not ${nounOf(answer)}`);
    return answer ? chosen(run) : otherwise(run);
  };
}

function assembleAccess(node: NodeOf<'member' | 'index' | 'slice'>, part: Part): Evaluate {
  const of = part(node.of);
  const { at } = node;
  if (node.type === 'member') {
    const { key } = node;
    return (run) => member(run, at, of(run), key);
  }
  if (node.type === 'index') {
    const index = part(node.index);
    return (run) => indexed(run, at, of(run), index(run));
  }
  const nothing: Evaluate = () => null;
  const start = node.start === undefined ? nothing : part(node.start);
  const end = node.end === undefined ? nothing : part(node.end);
  return (run) => slice(run, at, of(run), [start(run), end(run)]);
}

const functions: ReadonlyMap<string, (run: Evaluation, at: number, value: ExprValue) => ExprValue> = new Map([
  ['asInt', asInt],
  ['asFloat', asFloat],
  ['len', lengthOf],
]);

function assembleCall({ at, name, args }: NodeOf<'call'>, part: Part): Evaluate {
  const called = functions.get(name);
  const [argument] = args;
  if (called === undefined || argument === undefined)
    return (run) => fail(run, at, `there is no function ${name}`);
  const of = part(argument);
  return (run) => called(run, at, of(run));
}

function assembleEach(site: Site, node: NodeOf<'each'>): Evaluate {
  const list = partOf(site, node.list);
  const cost = site.sizes.get(node.body) ?? 1;
  const loop = { at: node.at, name: node.name, body: partOf(site, node.body), cost };
  return (run) => loopOver(run, loop, list(run));
}

function assembleCollection(node: NodeOf<'list' | 'map'>, part: Part): Evaluate {
  if (node.type === 'map') return assembleMap(node, part);
  const items = node.items.map(part);
  return (run) => items.map((item) => item(run));
}

/** Without a prototype, so that it has no inherited members. */
function assembleMap(node: NodeOf<'map'>, part: Part): Evaluate {
  const pairs = node.pairs.map(({ key, value }) => ({ at: key.at, key: part(key), value: part(value) }));
  return (run) => {
    const map: Record<string, ExprValue> = Object.create(null);
    for (const pair of pairs) {
      const key = pair.key(run);
      if (typeof key !== 'string')
        return fail(run, pair.at, `the keys of a map are texts, not ${nounOf(key)}`);
      map[key] = pair.value(run);
    }
    return map;
  };
}
