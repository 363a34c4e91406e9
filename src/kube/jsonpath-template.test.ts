import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { compileJsonPathTemplate, type Rendered } from './jsonpath-template.ts';

const object: Json = {
  kind: 'Thing',
  name: 'bryan',
  age: 45,
  metadata: { name: 'x', labels: { z: '1', a: '2' }, annotations: { 'a.b/c': 'dotted' } },
  nothing: null,
  big: 1_000_000,
  huge: 12_345_678_901_234,
  vast: 1e21,
  half: 1.5,
  tiny: 1e-7,
  yes: true,
  list: [1, 2, 3],
  things: [{ n: 'a', s: [1, 2] }, { n: 'b', s: [3] }, { m: 1 }],
  empty: [],
  nulls: [null, 1],
};

function render(template: string, of: Json = object): Rendered {
  const compiled = compileJsonPathTemplate(template);
  if (compiled.type === 'problem') throw new Error(compiled.message);
  return compiled.render(of);
}

/** What kubectl 1.32 prints, except where a key is missing: kubectl prints nothing there. */
test.for([
  ['{$.age}', '45'],
  ['{.age}', '45'],
  ['{@.age}', '45'],
  ['{ .age }', '45'],
  ['$.age', '$.age'],
  ['', ''],
  ['age {.age}!', 'age 45!'],
  ['x}y', 'x}y'],
  ['{.name}{.kind}', 'bryanThing'],
  ['{.name}{"\\n"}{.kind}', 'bryan\nThing'],
  ['{"\\u0041\\x42\\t\\"}"}', 'AB\t"}'],
  ["{'it\\'s'}", "it's"],
  ['{.nothing}', 'null'],
  ['{.nulls[*]}', 'null 1'],
  ['{.big}', '1000000'],
  ['{.huge}', '12345678901234'],
  ['{.vast}', '1000000000000000000000'],
  ['{.half}', '1.5'],
  ['{.yes}', 'true'],
  ['{.list}', '[1,2,3]'],
  ['{.list[*]}', '1 2 3'],
  ['{.list[0]}', '1'],
  ['{.list[-1]}', '3'],
  ['{.list[0:2]}', '1 2'],
  ['{.list[3:]}', ''],
  ['{.list[0,2]}', '1 3'],
  ['{.metadata.labels}', '{"a":"2","z":"1"}'],
  ["{.metadata['name']}", 'x'],
  ['{.metadata.annotations.a\\.b/c}', 'dotted'],
  ["{['kind','name']}", 'Thing bryan'],
  ['{.things[*].n}', 'a b'],
  ['{.things[*].s[*]}', '1 2 3'],
  ['{..n}', 'a b'],
  ['{.things[?(@.n=="b")].s}', '[3]'],
  ['{.things[?(@.n=="}")].n}', ''],
  ['{.things[?(@.m==9)].n}', ''],
  ['{.things[?(@.n)].n}', 'a b'],
  ['{.empty[*]}', ''],
  ['{range .empty[*]}x{end}', ''],
  ['{range .list[*]}<{@}>{end}', '<1><2><3>'],
  ['{range .list[*]}<{$}>{end}', '<1><2><3>'],
  ['{range .things[0:2]}{.n}:{range .s[*]} {@}{end};{end}.', 'a: 1 2;b: 3;.'],
] as const)('%s is %s', ([template, text]) => {
  expect(render(template)).toMatchObject({ type: 'text', text });
});

test.for([
  ['{.wrong}', '{.wrong}: wrong is not found'],
  ['{.age.x}', 'x is not found'],
  ['{.nothing.x}', 'x is not found'],
  ['{.list[7]}', 'there is no item 7'],
  ['{.list[0:9]}', 'the slice lies outside the list'],
  ['{.kind[*]}', 'there is no list'],
  ['{.things[*].q}', 'q is not found'],
  ['{range .wrong[*]}x{end}', 'wrong is not found'],
  ['{range .things[*]}{.n}{end}', '{.n}: n is not found'],
  ["{['p','q']}", 'none of the keys is found'],
] as const)('%s is missing: %s', ([template, message]) => {
  expect(render(template)).toEqual({ type: 'missing', message: expect.stringContaining(message) as string });
});

test.for([
  ['{.age', 'unclosed action'],
  ['{}', 'empty braces'],
  ['{age}', 'unrecognized identifier age'],
  ['{end}', '{end} without {range}'],
  ['{range .list[*]}x', 'has no {end}'],
  ['{.list[}', 'unterminated array'],
  ['{.a{.b}}', 'unrecognized'],
  ['{"a}', 'unclosed action'],
  ['{.things[?(@.n==)]}', 'unrecognized identifier'],
  ['{range .a}'.repeat(9), 'nested'],
  [`{.${'a'.repeat(20_000)}}`, 'longer than'],
] as const)('%s is no template: %s', ([template, message]) => {
  expect(compileJsonPathTemplate(template)).toEqual({
    type: 'problem',
    message: expect.stringContaining(message) as string,
  });
});

test('the values of all paths are there too', () => {
  expect(render('{.age} of {.list[*]}')).toMatchObject({ values: [45, 1, 2, 3] });
  expect(render('{range .things[0:2]}{.s}{end}')).toMatchObject({ values: [[1, 2], [3]] });
});

const hostile: readonly (readonly [name: string, template: string, of: Json])[] = [
  ['loops in loops', '{range .[*]}{range $[*]}{range $[*]}{end}{end}{end}', cube(60)],
  ['descent from everywhere', '{..[*]..[*]..[*]}', cube(40)],
  ['a very long result', '{range [*]}{..}{end}', Array.from({ length: 400 }, () => 'x'.repeat(9000))],
  ['a filter over all', '{range [*]}{[?(@.a==$.b)]}{end}', cube(50)],
];

function cube(n: number): Json {
  return Array.from({ length: n }, () =>
    Array.from({ length: n }, () => Array.from({ length: n }, () => [1])),
  );
}

test.for(hostile)('%s ends in time', ([, template, of]) => {
  const began = performance.now();
  expect(['problem', 'missing', 'text']).toContain(render(template, of).type);
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('loops in loops run out of steps', () => {
  expect(render('{range .[*]}{range $[*]}{range $[*]}{@}{end}{end}{end}', cube(60))).toMatchObject({
    type: 'problem',
  });
});

test('a value that is nested beyond reason is not shown', () => {
  let deep: Json = 1;
  for (let i = 0; i < 20_000; i += 1) deep = [deep];
  expect(render('{.a}', { a: deep })).toMatchObject({ type: 'problem' });
});

const signs = ['{', '}', '[', ']', '(', ')', '.', '..', '$', '@', '?', '*', ':', ',', '"', "'", '\\', ' '];
const words = [
  'range ',
  'end',
  '==',
  '<',
  'a',
  'list',
  '-1',
  '0',
  '{range .list[*]}',
  '{end}',
  '{.list[?(@.n=="a")].n}',
];
const piece = fc.constantFrom(...signs, ...words);

test('any text compiles or is refused with a reason, and renders or not without throwing', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.jsonValue(), (pieces, other) => {
      const compiled = compileJsonPathTemplate(pieces.join(''));
      if (compiled.type === 'problem') return compiled.message !== '';
      for (const of of [object, other as Json])
        expect(['text', 'missing', 'problem']).toContain(compiled.render(of).type);
      return true;
    }),
    { numRuns: 3000 },
  );
});

test('whole numbers are written plainly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (n) => {
      const value = Number(n);
      expect(render('{.n}', { n: value })).toMatchObject({ text: BigInt(value).toString() });
    }),
  );
});
