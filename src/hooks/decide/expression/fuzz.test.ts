import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileCondition } from './condition.ts';
import { alwaysTrue, neverTrue } from './constancy.ts';
import { type Node } from './node.ts';
import { parse } from './parse.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';

const resultTypes: readonly ResultType[] = ['string', 'json', 'float', 'floats', 'floatOrFloats'];

const words = `
  result asInt( asFloat( len( all( any( filter( map( count( true nil # and or not in matches contains .. ** == <
  ? : . , { } [ ] ( ) "a" '(a' 1 2.5 0 - + / % __proto__ \\
`
  .trim()
  .split(/\s+/);

const soup = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(' ')),
);

test('any text is a condition or a problem with a place in it, and evaluation always ends', () => {
  fc.assert(
    fc.property(soup, fc.constantFrom(...resultTypes), fc.jsonValue(), (text, type, result) => {
      const compiled = compileCondition(text, type);
      if (!compiled.ok) {
        const lines = text.split('\n');
        expect(compiled.problem.position.line).toBeLessThanOrEqual(lines.length);
        expect(compiled.problem.position.column).toBeLessThanOrEqual(text.length + 1);
        expect(compiled.problem.reason).not.toBe('');
        return;
      }
      const { condition } = compiled;
      const outcome = condition.evaluate(result as never);
      expect(['bool', 'error']).toContain(outcome.type);
      expect(condition.explain(result as never).length).toBeLessThanOrEqual(8);
      if (outcome.type === 'bool' && outcome.value && type === 'json')
        expect(neverTrue(condition)).toBe(false);
      if (outcome.type === 'bool' && !outcome.value && type === 'json')
        expect(alwaysTrue(condition)).toBe(false);
    }),
    { numRuns: 3000 },
  );
});

const place = { from: 0, to: 0, at: 0 };
const name = fc.constantFrom('result', 'foo', '$x', 'é1', 'length');
const literal = fc
  .oneof(
    fc.constantFrom(null, true, false),
    fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  .map((value): Node => ({ ...place, type: 'literal', value }));
const binaryOperators = [
  ...(['||', '&&', '==', '!=', '<', '>', '<=', '>=', 'in', 'not in', 'matches', 'contains'] as const),
  ...(['startsWith', 'endsWith', '..', '+', '-', '*', '/', '%', '**'] as const),
];
const eaches = ['all', 'none', 'any', 'one', 'filter', 'map', 'count'] as const;

const anyNode = fc.letrec<{ node: Node; inner: Node }>((tie) => {
  const sub = tie('node');
  const key = fc
    .string({ unit: 'binary', maxLength: 4 })
    .map((value): Node => ({ ...place, type: 'literal', value }));
  return {
    inner: fc.constant<Node>({ ...place, type: 'item' }),
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      literal,
      name.map((text): Node => ({ ...place, type: 'name', name: text })),
      fc
        .record({ operator: fc.constantFrom(...(['!', '-', '+'] as const)), of: sub })
        .map((parts): Node => ({ ...place, type: 'unary', ...parts })),
      fc
        .record({ operator: fc.constantFrom(...binaryOperators), left: sub, right: sub })
        .map((parts): Node => ({ ...place, type: 'binary', ...parts })),
      fc
        .record({ when: sub, chosen: sub, otherwise: sub })
        .map((parts): Node => ({ ...place, type: 'choice', ...parts })),
      fc.record({ of: sub, key: name }).map((parts): Node => ({ ...place, type: 'member', ...parts })),
      fc.record({ of: sub, index: sub }).map((parts): Node => ({ ...place, type: 'index', ...parts })),
      fc
        .record({
          of: sub,
          start: fc.option(sub, { nil: undefined }),
          end: fc.option(sub, { nil: undefined }),
        })
        .map((parts): Node => ({ ...place, type: 'slice', ...parts })),
      fc
        .record({ name: fc.constantFrom('asInt', 'len', 'what'), args: fc.array(sub, { maxLength: 2 }) })
        .map((parts): Node => ({ ...place, type: 'call', ...parts })),
      fc
        .record({ name: fc.constantFrom(...eaches), list: sub, body: fc.oneof(tie('inner'), sub) })
        .map((parts): Node => ({ ...place, type: 'each', ...parts })),
      fc.array(sub, { maxLength: 3 }).map((items): Node => ({ ...place, type: 'list', items })),
      fc
        .array(fc.record({ key, value: sub }), { maxLength: 3 })
        .map((pairs): Node => ({ ...place, type: 'map', pairs })),
    ),
  };
}).node;

/** Every part in parentheses: what the parser makes of them must be the part again. */
function print(node: Node): string {
  const sub = (part: Node): string => `(${print(part)})`;
  switch (node.type) {
    case 'literal':
      return printLiteral(node.value);
    case 'name':
      return node.name;
    case 'item':
      return '#';
    case 'unary':
      return `${node.operator}${sub(node.of)}`;
    case 'binary':
      return `${sub(node.left)} ${node.operator} ${sub(node.right)}`;
    case 'choice':
      return `${sub(node.when)} ? ${sub(node.chosen)} : ${sub(node.otherwise)}`;
    case 'member':
      return `${sub(node.of)}.${node.key}`;
    default:
      return printLong(node, sub);
  }
}

function printLong(
  node: Extract<Node, { type: 'index' | 'slice' | 'call' | 'each' | 'list' | 'map' }>,
  sub: (part: Node) => string,
): string {
  const bound = (part: Node | undefined): string => (part === undefined ? '' : sub(part));
  switch (node.type) {
    case 'index':
      return `${sub(node.of)}[${sub(node.index)}]`;
    case 'slice':
      return `${sub(node.of)}[${bound(node.start)}:${bound(node.end)}]`;
    case 'call':
      return `${node.name}(${node.args.map(sub).join(', ')})`;
    case 'each':
      return `${node.name}(${sub(node.list)}, {${sub(node.body)}})`;
    case 'list':
      return `[${node.items.map(sub).join(', ')}]`;
    case 'map':
      return `{${node.pairs.map(({ key, value }) => `${print(key)}: ${sub(value)}`).join(', ')}}`;
  }
}

function printLiteral(value: null | boolean | bigint | number | string): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\\/', '/');
  if (typeof value !== 'number') return String(value);
  return /[.e]/.test(String(value)) ? String(value) : `${value}.0`;
}

/** A tree without its places. */
const bare = (node: Node): unknown =>
  JSON.parse(
    JSON.stringify(node, (key, value: unknown) => {
      if (['from', 'to', 'at'].includes(key)) return undefined;
      return typeof value === 'bigint' ? `${value}n` : value;
    }),
  );

test('a printed tree is read as the same tree', () => {
  fc.assert(
    fc.property(anyNode, (node) => {
      const text = print(node);
      fc.pre(text.length < 8000);
      const parsed = parse(text);
      if (parsed.type === 'bad' && parsed.fault.reason.includes('nested too deeply')) return;
      expect(parsed).toMatchObject({ type: 'parsed' });
      if (parsed.type === 'parsed') expect(bare(parsed.node)).toEqual(bare(node));
    }),
    { numRuns: 1000 },
  );
});

test('any tree is judged, and evaluated without a throw if it is good', () => {
  let good = 0;
  fc.assert(
    fc.property(anyNode, fc.jsonValue(), (node, result) => {
      const compiled = compileCondition(`(${print(node)}) == nil or true`, 'json');
      if (!compiled.ok) return;
      good += 1;
      expect(['bool', 'error']).toContain(compiled.condition.evaluate(result as never).type);
    }),
    { numRuns: 2000 },
  );
  expect(good).toBeGreaterThan(100);
});
