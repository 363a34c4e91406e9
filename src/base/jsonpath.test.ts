import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { JsonPathError } from './jsonpath-parse.ts';
import { compileJsonPath } from './jsonpath.ts';

const widget: Json = {
  metadata: {
    name: 'a',
    labels: { 'app.kubernetes.io/name': 'web', 'a.b': 'dotted' },
    annotations: {},
  },
  spec: {
    replicas: 3,
    on: true,
    nothing: null,
    tags: ['x', 'y', 'z'],
    ports: [
      { name: 'http', port: 80, open: true },
      { name: 'https', port: 443 },
      { name: "it's", port: 8080 },
    ],
  },
  status: {
    conditions: [
      { type: 'Other', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

test.for<readonly [string, readonly Json[]]>([
  ['.spec.replicas', [3]],
  ['{.spec.replicas}', [3]],
  ['$.spec.replicas', [3]],
  ['{$.spec.replicas}', [3]],
  ['{ .spec.replicas }', [3]],
  ['.spec.nothing', [null]],
  ['.spec.missing', []],
  ['.spec.missing.deeper', []],
  ['.spec.replicas.deeper', []],
  ['.metadata.labels.app\\.kubernetes\\.io/name', ['web']],
  [".metadata.labels['app.kubernetes.io/name']", ['web']],
  [".metadata.labels['app\\.kubernetes\\.io/name']", ['web']],
  ['.metadata.labels["a.b"]', ['dotted']],
  [".metadata['labels']['a.b']", ['dotted']],
  [".spec.['replicas']", [3]],
  [".['spec'].replicas", [3]],
  ['.spec.tags[*]', ['x', 'y', 'z']],
  ['.spec.tags[0]', ['x']],
  ['.spec.tags[-1]', ['z']],
  ['.spec.tags[3]', []],
  ['.spec.tags[-1:]', ['z']],
  ['.spec.tags[-2:]', ['y', 'z']],
  ['.spec.tags[0:2]', ['x', 'y']],
  ['.spec.tags[:2]', ['x', 'y']],
  ['.spec.tags[:]', ['x', 'y', 'z']],
  ['.spec.tags[0:3:2]', ['x', 'z']],
  ['.spec.tags[0:4]', []],
  ['.spec.tags[2:1]', []],
  ['.spec.tags[0,2]', ['x', 'z']],
  [".spec['replicas','on']", [3, true]],
  ['.spec.replicas[0]', []],
  ['.metadata.labels.*', ['web', 'dotted']],
  ['.metadata.labels[*]', ['web', 'dotted']],
  ['.spec.ports[*].port', [80, 443, 8080]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type=='Ready')].status", ['True']],
  ['.status.conditions[?(@.type != "Ready")].status', ['False']],
  ['.status.conditions[?("Ready"==@.type)].status', ['True']],
  ['.spec.ports[?(@.port>80)].name', ['https', "it's"]],
  ['.spec.ports[?(@.port>=443)].port', [443, 8080]],
  ['.spec.ports[?(@.port<443)].port', [80]],
  ['.spec.ports[?(@.port<=443)].port', [80, 443]],
  ['.spec.ports[?(@.port == 80.0)].name', ['http']],
  ['.spec.ports[?(@.open)].name', ['http']],
  ['.spec.ports[?(@.open==true)].name', ['http']],
  ['.spec.ports[?(@.open!=true)].name', []],
  ['.spec.ports[?(@.name=="it\'s")].port', [8080]],
  ['.spec.ports[?(@.name=="a]b")].port', []],
  ['.spec.ports[?(@.port==$.spec.ports[1].port)].name', ['https']],
  ['.spec.ports[?(@.port=="80")].name', []],
  ['.spec.tags[?(@=="y")]', ['y']],
  ['.spec[?(@.port==80)]', []],
  ['..port', [80, 443, 8080]],
  ['..labels.a\\.b', ['dotted']],
  ['.status..type', ['Other', 'Ready']],
  ['..constructor', []],
  ['.constructor.name', []],
  ['.__proto__', []],
  ['.spec.tags.length', []],
  ['$', [widget]],
  ['{.}', [widget]],
])('%s', ([path, found]) => {
  expect(compileJsonPath(path).find(widget)).toEqual(found);
});

test.for([
  '',
  '{}',
  'spec.replicas',
  '.a[',
  '.a[]',
  '.a[x]',
  '.a[1:2:0]',
  '.a[-]',
  '.a[1.5]',
  '.a[?(@.b==]',
  '.a[?(@.b=="x")',
  '.a[?(@.b=~"x")]',
  '.a[?(@.b===1)]',
  '.a[?(b)]',
  '.a[?()]',
  '...a',
  '.a{b}',
  '.a b',
  '{range .a[*]}x{end}',
  `.a${'[?(@'.repeat(20)}`,
  `.${'a'.repeat(5000)}`,
])('%s is refused', (path) => {
  expect(() => compileJsonPath(path)).toThrow(JsonPathError);
});

test('a path that visits too much stops with a typed error', () => {
  const wide: Json = Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => ({ a: [1, 2, 3] })));
  expect(() => compileJsonPath('..*..*..*').find(wide)).toThrow(JsonPathError);
});

test('a document of any depth can be searched', () => {
  let deep: Json = { leaf: 1 };
  for (let i = 0; i < 20_000; i += 1) deep = [deep];
  expect(compileJsonPath('..leaf').find(deep)).toEqual([1]);
});

test('no text does anything but compile or be refused, and what compiles can be followed', () => {
  const piece = fc.constantFrom(
    '.',
    '..',
    'a',
    '[',
    ']',
    '*',
    '0',
    '-1',
    ':',
    ',',
    "'",
    '"',
    '?(',
    ')',
    '@',
    '$',
    '==',
    '<',
    '\\',
    '{',
    '}',
    ' ',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 14 }).map((pieces) => `.a${pieces.join('')}`),
  );
  fc.assert(
    fc.property(text, fc.jsonValue(), (path, document) => {
      try {
        expect(Array.isArray(compileJsonPath(path).find(document as Json))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonPathError);
      }
    }),
    { numRuns: 500 },
  );
});

test('keys are found as they are written, quoted', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (key, value) => {
      const path = `['${key.replaceAll(/[\\']/g, '\\$&')}']`;
      expect(compileJsonPath(path).find(Object.fromEntries([[key, value]]))).toEqual([value]);
    }),
  );
});
