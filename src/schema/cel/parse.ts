import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js';
import { parenthesisBehind, signBehind } from './anchor.ts';
import type { Expr } from './expr.ts';
import type { Issue } from './issue.ts';
import { expandMember, isMemberMacro } from './macros.ts';
import { syntaxIssue } from './syntax-error.ts';
import type { CelValue } from './value.ts';

type Parsed =
  | { readonly type: 'parsed'; readonly expr: Expr }
  | { readonly type: 'bad'; readonly issues: readonly Issue[] };

/** A limit on the size of expressions: everything behind the parser is recursive. */
const limits = { maxAstNodes: 20_000, maxDepth: 250, maxListElements: 10_000, maxMapEntries: 10_000 };
const deepest = 400;

const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true, limits });

/**
 * The syntax tree of an expression. Only the library's parser is used: its checker and evaluator have neither the
 * server's texts nor costs, match patterns by backtracking, and cannot be given functions in place of their own.
 */
export function parseExpression(source: string): Parsed {
  try {
    const { ast } = environment.parse(source);
    if (isTooDeep(ast)) return bad({ at: 0, message: 'expression recursion limit exceeded: 250' });
    const issues: Issue[] = [];
    const expr = convert(ast, { source, issues });
    return issues.length > 0 ? { type: 'bad', issues } : { type: 'parsed', expr };
  } catch (error) {
    if (error instanceof RangeError)
      return bad({ at: 0, message: 'expression recursion limit exceeded: 250' });
    if (!(error instanceof ParseError)) throw error;
    const at = error.range?.start ?? 0;
    const end = error.range?.end ?? at;
    return bad(syntaxIssue(source, { code: error.code, at, end, message: error.summary }));
  }
}

const bad = (issue: Issue): Parsed => ({ type: 'bad', issues: [issue] });

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value;

/** Chains of operators are as deep as they are long; this must not itself be recursive. */
function isTooDeep(root: ASTNode): boolean {
  let level: readonly ASTNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((node) => (isLogic(node) ? chainOf(node) : partsOf(node.args)));
  }
  return false;
}

function partsOf(args: unknown): readonly ASTNode[] {
  if (isNode(args)) return [args];
  return Array.isArray(args) ? args.flatMap(partsOf) : [];
}

type Logic = Extract<ASTNode, { readonly op: '&&' | '||' }>;

const isLogic = (node: ASTNode): node is Logic => node.op === '&&' || node.op === '||';

/** All sides of `a && b && c`, however long. */
function chainOf(node: Logic): readonly ASTNode[] {
  const sides: ASTNode[] = [];
  let rest: ASTNode = node;
  while (isLogic(rest) && rest.op === node.op) {
    sides.push(rest.args[1]);
    rest = rest.args[0];
  }
  sides.push(rest);
  return sides.reverse();
}

type Site = { readonly source: string; readonly issues: Issue[] };

const operatorNames: Readonly<Record<string, string>> = {
  in: '@in',
  '?:': '_?_:_',
  '[]': '_[_]',
  '[?]': '_[?_]',
};

function convert(node: ASTNode, site: Site): Expr {
  switch (node.op) {
    case 'value':
      return literalOf(node.args, node.start, site);
    case 'id':
      return { op: 'ident', at: node.start, name: node.args };
    case 'call':
      return callOf(node.args, node.start, site);
    case 'rcall':
      return memberOf(node.args, site);
    case 'list':
      return { op: 'list', at: node.start, items: node.args.map((each) => convert(each, site)) };
    case 'map':
      return mapOf(node.args, node.start, site);
    default:
      return operation(node, site);
  }
}

type Operation = Exclude<ASTNode, { readonly op: 'value' | 'id' | 'call' | 'rcall' | 'list' | 'map' }>;

function operation(node: Operation, site: Site): Expr {
  switch (node.op) {
    case '.':
      return selectOf(node.args, false, site);
    case '.?':
      return selectOf(node.args, true, site);
    case '!_':
      return call(node.start, '!_', [convert(node.args, site)]);
    case '-_':
      return negative(node.args, node.start, site);
    case '&&':
    case '||':
      return logic(node, site);
    default:
      return operator(node.args, operatorNames[node.op] ?? `_${node.op}_`, site);
  }
}

const call = (at: number, name: string, args: readonly Expr[]): Expr => ({
  op: 'call',
  at,
  name,
  target: undefined,
  args,
});

/** A chain as a tree of little depth: its order does not matter to what it means. */
function logic(node: Logic, site: Site): Expr {
  const sides = chainOf(node);
  const parts = sides.map((each) => convert(each, site));
  const places = sides.map((each) => signBehind(site.source, each.end));
  const tree = (from: number, to: number): Expr => {
    const first = parts[from];
    if (to - from === 1 && first !== undefined) return first;
    const middle = (from + to) >> 1;
    return call(places[middle - 1] ?? 0, `_${node.op}_`, [tree(from, middle), tree(middle, to)]);
  };
  return tree(0, parts.length);
}

function operator(args: readonly ASTNode[], name: string, site: Site): Expr {
  const [left] = args;
  const at = left === undefined ? 0 : signBehind(site.source, left.end);
  return call(
    at,
    name,
    args.map((each) => convert(each, site)),
  );
}

function mapOf(entries: readonly (readonly [ASTNode, ASTNode])[], at: number, site: Site): Expr {
  return {
    op: 'map',
    at,
    entries: entries.map(([key, value]) => [convert(key, site), convert(value, site)] as const),
  };
}

function selectOf([operand, field]: readonly [ASTNode, string], optional: boolean, site: Site): Expr {
  const at = signBehind(site.source, operand.end);
  const inner = convert(operand, site);
  if (!optional) return { op: 'select', at, operand: inner, field, test: false };
  return call(at, '_?._', [inner, { op: 'literal', at, value: field }]);
}

function callOf([name, args]: readonly [string, readonly ASTNode[]], start: number, site: Site): Expr {
  const at = parenthesisBehind(site.source, start);
  const converted = args.map((each) => convert(each, site));
  const [only] = converted;
  if (name !== 'has' || converted.length !== 1 || only === undefined) return call(at, name, converted);
  if (only.op === 'select' && !only.test) return { ...only, at, test: true };
  site.issues.push({ at, message: 'invalid argument to has() macro' });
  return call(at, name, converted);
}

function memberOf([name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]], site: Site): Expr {
  const at = parenthesisBehind(site.source, receiver.end);
  const target = convert(receiver, site);
  const converted = args.map((each) => convert(each, site));
  const macro = expandMember({ at, name, target, args: converted });
  if (macro !== undefined) return macro;
  const [first] = converted;
  if (isMemberMacro(name, converted.length) && first !== undefined)
    site.issues.push({ at: first.at, message: 'argument must be a simple name' });
  return { op: 'call', at, name, target, args: converted };
}

/** The sign belongs to the number: the smallest whole number has no positive counterpart. */
function negative(operand: ASTNode, at: number, site: Site): Expr {
  if (operand.op === 'value' && (typeof operand.args === 'bigint' || typeof operand.args === 'number'))
    return literalOf(-operand.args, at, site);
  return call(at, '-_', [convert(operand, site)]);
}

type Literal = Extract<ASTNode, { readonly op: 'value' }>['args'];

function literalOf(value: Literal, at: number, site: Site): Expr {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value)
    site.issues.push({ at, message: 'invalid int literal' });
  return { op: 'literal', at, value: plainValue(value) };
}

function plainValue(value: Literal): CelValue {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return { kind: 'uint', value: BigInt(String(value)) };
}
