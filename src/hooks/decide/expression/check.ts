import { typeOfBinary } from './check-binary.ts';
import { hintFor, memberHint, textOf } from './hint.ts';
import { regexWeight } from '#kube/regex.ts';
import { heaviestPatterns, patternOf } from './match.ts';
import { eachNames, type Node, type NodeOf } from './node.ts';
import type { Fault } from './problem.ts';
import { canBe, either, itemOf, kind, listOf, nounOfType, numeric, types, type Type } from './type.ts';

type Checked = { readonly types: ReadonlyMap<Node, Type>; readonly fault: Fault | undefined };

/** The type of every part, and the first fault if there is one. */
export function check(source: string, root: Node, result: Type): Checked {
  const site: Site = { source, result, items: [], types: new Map(), patterns: 0, fault: undefined };
  const type = visit(site, root);
  if (!canBe(type, kind.bool))
    wrong(site, root, `a condition must yield true or false, and this one yields ${nounOfType(type)}`);
  return { types: site.types, fault: site.fault };
}

type Site = {
  readonly source: string;
  readonly result: Type;
  readonly items: Type[];
  readonly types: Map<Node, Type>;
  /** The cost of all patterns so far: many small ones cost as much as a large one. */
  patterns: number;
  fault: Fault | undefined;
};

/** Records the first fault; the type of this part is unknown. */
function wrong(site: Site, node: Node, reason: string, hint?: string): Type {
  site.fault ??= hint === undefined ? { at: node.at, reason } : { at: node.at, reason, hint };
  return types.any;
}

function visit(site: Site, node: Node): Type {
  const type = typeOf(site, node);
  site.types.set(node, type);
  return type;
}

function typeOf(site: Site, node: Node): Type {
  switch (node.type) {
    case 'literal':
      return typeOfLiteral(node.value);
    case 'name':
      return typeOfName(site, node);
    case 'item':
      return site.items.at(-1) ?? types.any;
    case 'unary':
      return typeOfUnary(site, node);
    case 'binary':
      return typeOfOperator(site, node);
    case 'choice':
      return typeOfChoice(site, node);
    case 'call':
      return typeOfCall(site, node);
    case 'each':
      return typeOfEach(site, node);
    case 'list':
    case 'map':
      return typeOfCollection(site, node);
    default:
      return typeOfAccess(site, node);
  }
}

function typeOfLiteral(value: NodeOf<'literal'>['value']): Type {
  if (value === null) return types.nil;
  if (typeof value === 'boolean') return types.bool;
  if (typeof value === 'string') return types.text;
  return typeof value === 'bigint' ? types.int : types.float;
}

const functions: ReadonlyMap<string, { readonly takes: number; readonly yields: Type }> = new Map([
  ['asInt', { takes: kind.text, yields: types.int }],
  ['asFloat', { takes: kind.text, yields: types.float }],
  ['len', { takes: kind.text | kind.list | kind.map, yields: types.int }],
]);
const loops: readonly string[] = eachNames;

function typeOfName(site: Site, node: NodeOf<'name'>): Type {
  if (node.name === 'result') return site.result;
  if (functions.has(node.name) || loops.includes(node.name))
    return wrong(site, node, `${node.name} is a function`, `write ${node.name}(…)`);
  return wrong(site, node, `there is no name ${textOf(site.source, node)}`, 'the only name is result');
}

function typeOfUnary(site: Site, node: NodeOf<'unary'>): Type {
  const type = visit(site, node.of);
  if (node.operator === '!' && canBe(type, kind.bool)) return types.bool;
  if (node.operator !== '!' && canBe(type, numeric)) return { kinds: type.kinds & numeric, item: undefined };
  const operator = node.operator === '!' ? 'not' : node.operator;
  return wrong(
    site,
    node,
    `${operator} cannot be applied to ${textOf(site.source, node.of)}, which is ${nounOfType(type)}`,
  );
}

function typeOfOperator(site: Site, node: NodeOf<'binary'>): Type {
  const left = visit(site, node.left);
  const right = visit(site, node.right);
  const type = typeOfBinary(node.operator, left, right);
  if (type === undefined) {
    const side = (part: Node, type: Type): string => `${textOf(site.source, part)} (${nounOfType(type)})`;
    const reason = `${node.operator} cannot be applied to ${side(node.left, left)} and ${side(node.right, right)}`;
    const sides = [
      { node: node.left, type: left },
      { node: node.right, type: right },
    ] as const;
    return wrong(site, node, reason, hintFor(site.source, node.operator, ...sides));
  }
  return node.operator === 'matches' ? checkPattern(site, node, type) : type;
}

function checkPattern(site: Site, { right }: NodeOf<'binary'>, type: Type): Type {
  if (right.type !== 'literal' || typeof right.value !== 'string') return type;
  site.patterns += regexWeight(right.value);
  if (site.patterns > heaviestPatterns) return wrong(site, right, 'the patterns repeat too much');
  const made = patternOf(right.value);
  return made.type === 'bad' ? wrong(site, right, made.why) : type;
}

function typeOfChoice(site: Site, node: NodeOf<'choice'>): Type {
  const when = visit(site, node.when);
  if (!canBe(when, kind.bool))
    return wrong(site, node.when, `the value before ? must be true or false, not ${nounOfType(when)}`);
  return either(visit(site, node.chosen), visit(site, node.otherwise));
}

function typeOfCollection(site: Site, node: NodeOf<'list' | 'map'>): Type {
  if (node.type === 'list') {
    for (const item of node.items) visit(site, item);
    return types.list;
  }
  for (const { key, value } of node.pairs) {
    if (!canBe(visit(site, key), kind.text)) wrong(site, key, 'the keys of a map are texts');
    visit(site, value);
  }
  return types.map;
}

function typeOfCall(site: Site, node: NodeOf<'call'>): Type {
  const known = functions.get(node.name);
  if (known === undefined) {
    const names = [...functions.keys(), ...loops].join(', ');
    return wrong(
      site,
      node,
      `there is no function ${textOf(site.source, node)}`,
      `the functions are ${names}`,
    );
  }
  const [argument] = node.args;
  if (argument === undefined || node.args.length !== 1)
    return wrong(site, node, `${node.name} takes one argument, not ${node.args.length}`);
  const type = visit(site, argument);
  if (canBe(type, known.takes)) return known.yields;
  const text = textOf(site.source, argument);
  const reason = `${node.name} cannot be applied to ${text}, which is ${nounOfType(type)}`;
  return wrong(site, node, reason, canBe(type, numeric) ? `${text} needs no conversion` : undefined);
}

function typeOfEach(site: Site, node: NodeOf<'each'>): Type {
  const list = visit(site, node.list);
  if (!canBe(list, kind.list))
    return wrong(
      site,
      node.list,
      `${node.name} takes a list, not ${nounOfType(list)}`,
      memberHint(node.list, list),
    );
  site.items.push(list.kinds === types.any.kinds || list.item === undefined ? types.any : list.item);
  const body = visit(site, node.body);
  site.items.pop();
  if (node.name === 'map') return listOf(body);
  if (!canBe(body, kind.bool))
    return wrong(
      site,
      node.body,
      `the closure of ${node.name} must yield true or false, not ${nounOfType(body)}`,
    );
  if (node.name === 'filter') return { kinds: kind.list, item: list.item };
  return node.name === 'count' ? types.int : types.bool;
}

function typeOfAccess(site: Site, node: NodeOf<'member' | 'index' | 'slice'>): Type {
  const of = visit(site, node.of);
  const text = textOf(site.source, node.of);
  if (node.type === 'member') {
    if (canBe(of, kind.map)) return types.any;
    return wrong(
      site,
      node,
      `${text} is ${nounOfType(of)} and has no member ${node.key}`,
      memberHint(node.of, of),
    );
  }
  if (node.type === 'slice') {
    for (const bound of [node.start, node.end]) {
      if (bound !== undefined && !canBe(visit(site, bound), kind.int))
        wrong(site, bound, 'a slice is bounded by whole numbers');
    }
    if (canBe(of, kind.list | kind.text)) return { kinds: of.kinds & (kind.list | kind.text), item: of.item };
    return wrong(site, node, `${text} is ${nounOfType(of)} and cannot be sliced`);
  }
  return typeOfIndex(site, node, of);
}

function typeOfIndex(site: Site, node: NodeOf<'index'>, of: Type): Type {
  const index = visit(site, node.index);
  const text = textOf(site.source, node.of);
  if (!canBe(of, kind.list | kind.map)) {
    const hint =
      of.kinds === kind.text ? (memberHint(node.of, of) ?? `use a slice: ${text}[0:1]`) : undefined;
    return wrong(site, node, `${text} is ${nounOfType(of)} and cannot be indexed`, hint);
  }
  const fits = (canBe(of, kind.list) ? kind.int : 0) | (canBe(of, kind.map) ? kind.text : 0);
  if (canBe(index, fits)) return itemOf(of);
  return wrong(
    site,
    node.index,
    `${text} is ${nounOfType(of)} and cannot be indexed by ${nounOfType(index)}`,
  );
}
