import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '#base/json.ts';
import { printYaml } from './print-yaml.ts';
import { parseYaml, parseYamlStrict, YamlInvalid } from './yaml.ts';

test.for<[string, Json]>([
  ['yes', true],
  ['On', true],
  ['y', true],
  ['N', false],
  ['off', false],
  ['True', true],
  ['tRue', 'tRue'],
  ['~', null],
  ['Null', null],
  ['017', 15],
  ['-017', -15],
  ['0o17', 15],
  ['0x1F', 31],
  ['-0x10', -16],
  ['0b101', 5],
  ['089', 89],
  ['1_000', 1000],
  ['_1', '_1'],
  ['+5', 5],
  ['-0', 0],
  ['1.50', 1.5],
  ['.5', 0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1.e+3', 1000],
  ['1e400', '1e400'],
  ['0x', '0x'],
  ['2020-01-01', '2020-01-01'],
  ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
  ['1:30', '1:30'],
  ['1.2.3', '1.2.3'],
  ['+', '+'],
  ['.', '.'],
  ['"yes"', 'yes'],
  ["'1'", '1'],
  ['!!str 1', '1'],
  ['!!str yes', 'yes'],
  ['!own 1', 1],
  ['!!binary aGk=', 'hi'],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['-9223372036854775808', -9_223_372_036_854_775_808n],
  ['+9_007_199_254_740_993', 9_007_199_254_740_993n],
  ['0x20000000000001', 9_007_199_254_740_993n],
  ['0400000000000000001', 9_007_199_254_740_993n],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9223372036854775808', 9_223_372_036_854_775_808],
  ['9007199254740993.0', 9_007_199_254_740_992],
])('kubectl reads %s as %s', ([text, value]) => {
  expect(parseYaml(`a: ${text}`)).toEqual([{ a: value }]);
});

test.for<[string, Json]>([
  ['123456', '123456'],
  ['0123', '0123'],
  ['1_000', '1_000'],
  ['1e3', '1e3'],
  ['yes', 'yes'],
  ['.inf', '.inf'],
  ['9007199254740993', '9007199254740993'],
  ['plain', 'plain'],
  ['"0123"', '0123'],
  ['~', null],
  ['', null],
])('a value that must be a text is kept as it is written: %s', ([text, value]) => {
  const texts = new Set(['password']);
  expect(parseYaml(`nodes: [{ port: 022 }]\npassword: ${text}\n`, texts)).toEqual([
    { nodes: [{ port: 18 }], password: value },
  ]);
});

test('a password of digits in JSON is a text as well', () => {
  expect(parseYaml('{"password": 123456, "port": 22}', new Set(['password']))).toEqual([
    { password: '123456', port: 22 },
  ]);
});

test('keys become texts as kubectl makes them', () => {
  expect(parseYaml('1: a\ntrue: b\nyes: c\n0x10: d\n1.5: e\ny: g\n"on": f\n')).toEqual([
    { '1': 'a', true: 'g', '16': 'd', '1.5': 'e', on: 'f' },
  ]);
});

test('a text may hold several documents; empty ones do not count', () => {
  expect(parseYaml('---\na: 1\n---\n# nothing\n---\n- b\n---\n"c"\n...\n')).toEqual([{ a: 1 }, ['b'], 'c']);
  expect(parseYaml('')).toEqual([]);
});

test('keys given twice are named with their line, and the last value counts', () => {
  const { documents, duplicates } = parseYamlStrict('a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na: 4\n---\na: 5\n');
  expect(documents).toEqual([{ a: 4, b: { c: 3, d: 2 } }, { a: 5 }]);
  expect(duplicates).toEqual(['line 5: key "c" already set in map', 'line 6: key "a" already set in map']);
});

test('anchors and merges', () => {
  expect(parseYaml('x: &x {a: 1, b: 2}\nv: {<<: *x, b: 3}\nz: {<<: [*x, {c: 4}]}\nw: *x')).toEqual([
    { x: { a: 1, b: 2 }, v: { b: 3, a: 1 }, z: { a: 1, b: 2, c: 4 }, w: { a: 1, b: 2 } },
  ]);
  expect(parseYamlStrict('x: &x {a: 1}\nv: {<<: *x, a: 3}').duplicates).toEqual([]);
});

test('__proto__ is a key like any other', () => {
  const [value] = parseYaml('__proto__: {polluted: 1}');
  expect(Object.keys(value as object)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const bomb = (levels: number): string =>
  Array.from({ length: levels }, (_, i) =>
    i === 0
      ? 'l0: &l0 [x,x,x,x,x,x,x,x,x]'
      : `l${i}: &l${i} [${Array(9)
          .fill(`*l${i - 1}`)
          .join(',')}]`,
  ).join('\n');

test.for([
  { name: 'an unclosed bracket', text: 'a: [', line: 1 },
  { name: 'a tab', text: 'a:\n\tb: 1', line: 2 },
  { name: 'an alias bomb', text: bomb(9), line: 1, why: /excessive aliasing/ },
  { name: 'an anchor in itself', text: 'a: &a [*a]', line: 1, why: /unknown anchor 'a'/ },
  { name: 'an unknown anchor', text: 'b: 1\na: *a', line: 2, why: /unknown anchor|anchor/i },
  { name: 'depth', text: `${'['.repeat(2000)}${']'.repeat(2000)}`, line: 1, why: /too deeply/ },
  {
    name: 'depth by indentation',
    text: Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    line: 500,
  },
  { name: 'great depth', text: '['.repeat(1_000_000), line: 1 },
  { name: 'infinity', text: 'a: 1\nb: .inf', line: 2, why: /JSON has no value/ },
  { name: 'a map as key', text: '? {a: 1}\n: b', line: 1, why: /a key must be/ },
  { name: 'a merge of a number', text: 'a: {<<: 1}', line: 1, why: /map merge requires/ },
])('$name is refused', ({ text, line, why }) => {
  const read = (): unknown => parseYaml(text);
  expect(read).toThrow(YamlInvalid);
  expect(read).toThrow(new RegExp(`^yaml: line ${line}: `));
  if (why !== undefined) expect(read).toThrow(why);
});

test.for([
  { name: 'a flow map', text: `{${'a: b, '.repeat(300_000)}}` },
  { name: 'a list', text: '- a\n'.repeat(400_000) },
  { name: 'blank lines', text: '\n'.repeat(1_800_000) },
  { name: 'documents', text: '---\n'.repeat(400_000) },
  { name: 'lists in a list', text: `[${'[],'.repeat(500_000)}]` },
])('$name without end: refused, and soon', ({ text }) => {
  const start = process.threadCpuUsage();
  expect(() => parseYaml(text)).toThrow(/^yaml: line \d+: the document has too many nodes$/);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(5000);
});

test('a large text of few nodes and a long document are read', () => {
  const long = Array.from({ length: 20_000 }, (_, i) => `k${i}: v${i}`).join('\n');
  expect(Object.keys(parseYaml(long)[0] as object)).toHaveLength(20_000);
  expect(parseYaml(`a: |\n${'  x\n'.repeat(400_000)}`)).toEqual([{ a: 'x\n'.repeat(400_000) }]);
});

test('an error text does not quote the document', () => {
  expect(() => parseYaml('password: "hunter2\nb: 1')).toThrow(YamlInvalid);
  expect(() => parseYaml('password: "hunter2\nb: 1')).not.toThrow(/hunter2/);
});

test('an object prints as the real server prints it', () => {
  const object: Json = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name: 'yml',
      creationTimestamp: '2026-11-15T04:47:49Z',
      resourceVersion: '12',
      uid: '5b1c6a1e-0000-4000-8000-000000000000',
      managedFields: [{ manager: 'replay', fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } } }],
    },
    data: {
      a: '1',
      b: 'x\n',
      c: '',
      d: '*',
      e: 'x: y',
      f: 'a\nb',
      g: 'true',
      h: 'tab\t',
      i: '- x',
      j: 'it’s',
    },
    list: [[1, [2]], [], {}, null, 'text', { a: [1] }],
  };
  expect(printYaml(object)).toBe(`apiVersion: v1
data:
  a: "1"
  b: |
    x
  c: ""
  d: '*'
  e: 'x: y'
  f: |-
    a
    b
  g: "true"
  h: "tab\\t"
  i: '- x'
  j: it’s
kind: ConfigMap
list:
- - 1
  - - 2
- []
- {}
- null
- text
- a:
  - 1
metadata:
  creationTimestamp: "2026-11-15T04:47:49Z"
  managedFields:
  - fieldsV1:
      f:data:
        .: {}
        f:a: {}
    manager: replay
  name: yml
  resourceVersion: "12"
  uid: 5b1c6a1e-0000-4000-8000-000000000000
`);
});

const awkward = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n\n',
  'a\n\n',
  ' a\nb',
  'a \nb',
  '#',
  'a #b',
  'a: ',
  '---',
  '<<',
  '~',
  "'",
  '"',
);
const texts = fc.oneof(awkward, fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[-+.:0-9xoeyn ]{0,6}$/));
const { value: jsonValues } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc
      .double({ noDefaultInfinity: true, noNaN: true })
      .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n))
      .map((n) => (n === 0 ? 0 : n)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
  ),
}));

test('large integers are printed without loss', () => {
  expect(printYaml({ a: [9_007_199_254_740_993n, -9_223_372_036_854_775_808n] })).toBe(
    'a:\n- 9007199254740993\n- -9223372036854775808\n',
  );
});

test('what is printed reads back the same, by us and by others', () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      const printed = printYaml({ value });
      expect(parseYaml(printed)).toEqual([{ value }]);
      expect(parse(printed, { version: '1.2' })).toEqual({ value });
    }),
    { numRuns: 500 },
  );
});
