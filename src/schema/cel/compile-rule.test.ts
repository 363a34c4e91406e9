import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { compileMessage, compileRule } from './compile-rule.ts';
import { declOf, type Decl } from './decl.ts';
import { Exhausted, newMeter } from './meter.ts';
import { isError, type CelValue } from './value.ts';

function decl(schema: JsonObject): Decl {
  const found = declOf(schema, false);
  if (found === undefined) throw new Error('the schema is not visible');
  return found;
}

const spec = decl({
  type: 'object',
  properties: {
    a: { type: 'integer' },
    s: { type: 'string', maxLength: 10 },
    l: { type: 'array', items: { type: 'string' } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
  },
});

const faultOf = (rule: string, of: Decl = spec): string => {
  const compiled = compileRule(rule, of, false);
  return compiled.type === 'bad' ? compiled.detail : 'good';
};

const operands =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

test.for<[string, string]>([
  [
    'self.a >',
    `ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting ${operands}\n | self.a >\n | ........^`,
  ],
  ['self.zz > 1', "ERROR: <input>:1:5: undefined field 'zz'\n | self.zz > 1\n | ....^"],
  [
    "self.a == 'x'",
    "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(int, string)'\n | self.a == 'x'\n | .......^",
  ],
  [
    'foo(self.a)',
    "ERROR: <input>:1:4: undeclared reference to 'foo' (in container '')\n | foo(self.a)\n | ...^",
  ],
  ['true &&\n  self.b', "ERROR: <input>:2:7: undefined field 'b'\n |   self.b\n | ......^"],
  [
    'self.s.startsWith(1)',
    "ERROR: <input>:1:18: found no matching overload for 'startsWith' applied to 'string.(int)'\n | self.s.startsWith(1)\n | .................^",
  ],
  [
    'x > 1 && self.y',
    "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x > 1 && self.y\n | ^\nERROR: <input>:1:14: undefined field 'y'\n | x > 1 && self.y\n | .............^",
  ],
  [
    'self.l.all(x, self.a)',
    "ERROR: <input>:1:19: expected type 'bool' but found 'int'\n | self.l.all(x, self.a)\n | ..................^",
  ],
  [
    'self.a.all(x, true)',
    "ERROR: <input>:1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.a.all(x, true)\n | ....^",
  ],
  [
    "[1, 'a'].size() > 0",
    "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'a'].size() > 0\n | ....^",
  ],
  [
    "self.s.matches('(')",
    "ERROR: <input>:1:16: invalid matches argument\n | self.s.matches('(')\n | ...............^",
  ],
  [
    "duration('1 day') == duration('1h')",
    "ERROR: <input>:1:10: invalid duration argument\n | duration('1 day') == duration('1h')\n | .........^",
  ],
  ['has(self)', 'ERROR: <input>:1:4: invalid argument to has() macro\n | has(self)\n | ...^'],
  [
    'self.l.all(1, true)',
    'ERROR: <input>:1:12: argument must be a simple name\n | self.l.all(1, true)\n | ...........^',
  ],
  [
    '(self.a > 1',
    "ERROR: <input>:1:12: Syntax error: missing ')' at '<EOF>'\n | (self.a > 1\n | ...........^",
  ],
  [
    'self.a > 1)',
    "ERROR: <input>:1:11: Syntax error: extraneous input ')' expecting <EOF>\n | self.a > 1)\n | ..........^",
  ],
  ['9223372036854775808 > 1', 'ERROR: <input>:1:1: invalid int literal\n | 9223372036854775808 > 1\n | ^'],
  ['for == 1', 'ERROR: <input>:1:1: reserved identifier: for\n | for == 1\n | ^'],
])('what is wrong with %s', ([rule, expected]) => {
  expect(faultOf(rule)).toBe(`compilation failed: ${expected}`);
});

test('a rule must be a bool, and a message a string', () => {
  expect(faultOf('self.a + 1')).toBe('cel expression must evaluate to a bool');
  expect(faultOf('dyn(true)')).toBe('cel expression must evaluate to a bool');
  expect(compileMessage('self.a', spec, false)).toEqual({
    type: 'bad',
    detail: 'messageExpression must evaluate to a string',
  });
  expect(compileMessage('self.nope', spec, false)).toMatchObject({
    detail: expect.stringMatching(
      /^messageExpression compilation failed: ERROR: <input>:1:5: undefined field/,
    ),
  });
});

test('oldSelf is noticed, and optional on request', () => {
  expect(compileRule('self.a == oldSelf.a', spec, false)).toMatchObject({ usesOldSelf: true });
  expect(compileRule('self.a == 1', spec, false)).toMatchObject({ usesOldSelf: false });
  expect(compileRule('oldSelf.hasValue()', spec, true)).toMatchObject({ usesOldSelf: true });
  expect(compileRule('oldSelf.hasValue()', spec, false)).toMatchObject({ type: 'bad' });
  expect(compileRule('!oldSelf.a.hasValue() || self.a >= oldSelf.a.value()', spec, true)).toMatchObject({
    type: 'good',
  });
});

const costs = decl({
  type: 'object',
  properties: {
    n: { type: 'integer' },
    s: { type: 'string', maxLength: 10 },
    e: { type: 'string', enum: ['abcd', 'ab'] },
    wide: { type: 'string' },
    l: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 5 } },
    m: { type: 'object', maxProperties: 7, additionalProperties: { type: 'string', maxLength: 5 } },
  },
});

/** Each number is what the server's arithmetic gives: one per step, a tenth per character. */
test.for<[string, number]>([
  ['self.n > 1', 3],
  ['self.n == 1', 2],
  ['has(self.n)', 1],
  ["self.s == 'abc'", 3],
  ["self.s.startsWith('abc')", 3],
  ["self.s.contains('abc')", 2 + 4],
  ["self.s.matches('^a+$')", 2 + 5],
  ["self.e.upperAscii() == 'x'", 2 + 1 + 1],
  ["self.s in ['a', 'b']", 2 + 10 + 2],
  ['self.l.all(x, x.size() > 1)', 2 + 1 + 10 * (2 + 1 + 3)],
  ['self.l.exists(x, x == self.s)', 2 + 1 + 10 * (3 + 1 + (1 + 2 + 2))],
  ['self.m.all(k, self.m[k] == k)', 2 + 1 + 7 * (2 + 1 + (1 + 2 + 1 + 1 + 0))],
  ['self.l.map(x, x).size() > 0', 2 + 10 + 1 + 10 * (1 + 10 + 1 + 1) + 1 + 1],
  ['self.n > 1 ? self.n > 2 : true', 6],
  ['self.wide == self.wide', 4 + 314_573],
])('the estimated cost of %s', ([rule, expected]) => {
  expect(compileRule(rule, costs, false)).toMatchObject({ type: 'good', maxCost: expected });
});

const numbers = decl({ type: 'array', items: { type: 'integer' } });

/** Runs a rule and tells how it ended. */
function outcome(rule: string, of: Decl, value: Json): CelValue {
  const compiled = compileRule(rule, of, false);
  if (compiled.type === 'bad') throw new Error(compiled.detail);
  const meter = newMeter();
  try {
    return compiled.program(meter, [of.adapt(value, meter), undefined]);
  } catch (error) {
    if (error instanceof Exhausted) return 'stopped';
    throw error;
  }
}

const many = Array.from({ length: 100_000 }, (_, i) => i);
const objects = decl({
  type: 'array',
  items: { type: 'object', properties: { l: { type: 'array', items: { type: 'integer' } } } },
});
const large = decl({
  type: 'object',
  properties: {
    s: { type: 'string' },
    t: { type: 'string' },
    l: { type: 'array', items: { type: 'integer' } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
    p: { type: 'array', items: { type: 'string' } },
  },
});
const texts = decl({ type: 'array', items: { type: 'string' } });

test.for<[string, Decl, Json]>([
  ['self.all(x, self.all(y, self.all(z, x + y + z >= 0)))', numbers, many],
  ['self.map(x, self.map(y, y)).size() > 0', numbers, many],
  ['[self.map(x, x < 20000, x)].all(l, self.all(x, (l + l).size() > 0))', numbers, many],
  ['sets.contains(self, self.map(x, x))', numbers, many],
  [
    'self.all(x, self.all(y, x == y))',
    objects,
    Array.from({ length: 300 }, () => ({ l: many.slice(0, 1000) })),
  ],
  [
    "self.exists(x, x.matches('(a|aa)+$'))",
    texts,
    Array.from({ length: 10_000 }, () => `${'a'.repeat(2000)}b`),
  ],
  [
    "self.exists(x, matches(x, '(a|aa)+$'))",
    texts,
    Array.from({ length: 10_000 }, () => `${'a'.repeat(2000)}b`),
  ],
  ["self.all(x, x.replace('', x).size() > 0)", texts, ['a'.repeat(100_000)]],
  [
    'self.map(x, x).map(x, self.map(y, y).join(x)).size() > 0',
    texts,
    Array.from({ length: 1000 }, () => 'a'.repeat(1000)),
  ],
  ['self.l.all(x, self.s.size() > 0)', large, { s: 'é'.repeat(1_000_000), l: many }],
  [
    'self.l.all(x, self.m.size() > 0)',
    large,
    { m: Object.fromEntries(many.map((i) => [`k${i}`, i])), l: many },
  ],
  [
    'self.l.all(x, self.s == self.t)',
    large,
    { s: 'a'.repeat(1_000_000), t: 'a'.repeat(999_999) + 'a', l: many },
  ],
  ["self.l.all(x, timestamp('2024-01-01T00:00:00Z').getHours('Europe/Berlin') > 0)", large, { l: many }],
  [
    'self.p.exists(x, self.s.matches(x))',
    large,
    { s: 'b', p: many.slice(0, 1000).map((i) => 'a{1000}'.repeat(500) + i) },
  ],
])('ends in time: %s', { timeout: 5000 }, ([rule, of, value]) => {
  expect(outcome(rule, of, value)).toBe('stopped');
});

test('long alternatives are fine', () => {
  const rule = Array.from({ length: 2000 }, (_, i) => `self.a == ${i}`).join(' || ');
  expect(outcome(rule, spec, { a: 1999 })).toBe(true);
  expect(outcome(rule, spec, { a: -1 })).toBe(false);
});

test('a long chain and deep nesting are refused, not followed', () => {
  expect(faultOf(`${'self.a + '.repeat(8000)}1 > 0`)).toContain('expression recursion limit exceeded: 250');
  expect(faultOf(`${'('.repeat(5000)}1${')'.repeat(5000)} > 0`)).toContain('recursion limit');
  expect(faultOf(`${'!'.repeat(5000)}true`)).toContain('recursion limit');
});

/** Expressions that mostly make sense, and texts that mostly do not. */
const expression = fc.letrec<{ expr: string }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(
      'self.a',
      'self.s',
      'self.l',
      'self.m',
      "'x'",
      '1',
      '0',
      'true',
      '1.5',
      'null',
      'x',
      '[]',
      '{}',
    ),
    fc
      .tuple(
        tie('expr'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in'),
        tie('expr'),
      )
      .map(([left, op, right]) => `(${left} ${op} ${right})`),
    fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        tie('expr'),
        fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter', 'optMap'),
        tie('expr'),
      )
      .map(([range, macro, body]) => `${range}.${macro}(x, ${body})`),
    fc
      .tuple(
        tie('expr'),
        fc.constantFrom('size', 'trim', 'min', 'sum', 'isSorted', 'join', 'hasValue', 'value', 'lowerAscii'),
      )
      .map(([target, name]) => `${target}.${name}()`),
    fc
      .tuple(
        tie('expr'),
        fc.constantFrom('matches', 'split', 'indexOf', 'contains', 'find', 'format', 'orValue'),
        tie('expr'),
      )
      .map(([target, name, arg]) => `${target}.${name}(${arg})`),
    fc
      .tuple(
        fc.constantFrom(
          'dyn',
          'string',
          'int',
          'type',
          'quantity',
          'ip',
          'cidr',
          'url',
          'duration',
          'timestamp',
          'optional.of',
        ),
        tie('expr'),
      )
      .map(([name, arg]) => `${name}(${arg})`),
    fc.tuple(tie('expr'), tie('expr')).map(([of, index]) => `${of}[${index}]`),
    fc
      .tuple(tie('expr'), fc.constantFrom('a', 'constructor', '__proto__'))
      .map(([of, name]) => `${of}.?${name}`),
    fc.array(tie('expr'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  ),
})).expr;

const data = fc.record(
  {
    a: fc.integer(),
    s: fc.string({ unit: 'grapheme', maxLength: 10 }),
    l: fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 }),
    m: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('constructor', 'toString')), fc.integer(), {
      maxKeys: 4,
    }),
  },
  { requiredKeys: [] },
);

test('whatever a rule says, it is refused, gives a value, or stops', () => {
  let good = 0;
  fc.assert(
    fc.property(expression, data, (source, value) => {
      const compiled = compileRule(`dyn(${source}) == 1`, spec, false);
      if (compiled.type === 'bad') return;
      good++;
      const meter = newMeter();
      const self = spec.adapt(value, meter);
      try {
        const result = compiled.program(meter, [self, undefined]);
        expect(typeof result === 'boolean' || isError(result)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(Exhausted);
      }
    }),
    { numRuns: 3000 },
  );
  expect(good).toBeGreaterThan(100);
});

test('what a rule costs is at most what was estimated', () => {
  fc.assert(
    fc.property(expression, data, (source, value) => {
      const compiled = compileRule(`dyn(${source}) == 1`, spec, false);
      if (compiled.type === 'bad') return;
      const meter = newMeter();
      try {
        compiled.program(meter, [spec.adapt(value, meter), undefined]);
      } catch {
        return;
      }
      // Regular costs are rounded per call, and keys of maps are estimated at nothing.
      expect(meter.cost).toBeLessThanOrEqual(compiled.maxCost + 100);
    }),
    { numRuns: 1000 },
  );
});

test('no text breaks the parser', () => {
  const piece = fc.constantFrom(
    'self',
    '.',
    'a',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '?',
    ':',
    "'",
    '"',
    '\\',
    '1',
    'u',
    '&&',
    '//',
    '\n',
    'b',
    'r',
    'in',
    '0x',
    '-',
    '!',
    '\u0000',
    '\u{1F600}',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece).map((each) => each.join('')),
      ),
      (source) => {
        const compiled = compileRule(source, spec, false);
        expect(['good', 'bad']).toContain(compiled.type);
      },
    ),
    { numRuns: 3000 },
  );
});
