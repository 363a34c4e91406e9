import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutComments } from './comments.ts';
import { firstExampleText } from './testing/seeds.ts';

test.for([
  { name: 'a comment behind a value', text: '{"a": 1 // one\n}', json: { a: 1 } },
  { name: 'a comment that touches its value', text: '{"a": 1,// one\n"b":2}', json: { a: 1, b: 2 } },
  { name: 'slashes inside a string', text: '{"a": "http://x // y"}', json: { a: 'http://x // y' } },
  { name: 'an escaped quote', text: '{"a": "\\" // b" } // c', json: { a: '" // b' } },
  { name: 'a comment before everything', text: '// head\n{"a": 1}', json: { a: 1 } },
])('commented JSON: $name', ({ text, json }) => {
  expect(JSON.parse(withoutComments(text))).toEqual(json);
});

test.for([
  ['addition:      // packages', 'addition:'],
  ['- name: a.sh // b', '- name: a.sh'],
  ['server: http://x//y', 'server: http://x//y'],
  ['a: "b // c" // d', 'a: "b // c"'],
  ["a: 'it''s // c' // d", "a: 'it''s // c'"],
  ["a: it's // c", "a: it's"],
  ['// whole line', ''],
])('YAML: %s', ([text = '', kept]) => {
  expect(withoutComments(text).trimEnd()).toBe(kept);
});

test("the seed's first example becomes JSON, every character in its old place", () => {
  const text = withoutComments(firstExampleText);
  expect(text).toHaveLength(firstExampleText.length);
  expect(text.split('\n')).toHaveLength(firstExampleText.split('\n').length);
  expect(JSON.parse(text)).toMatchObject({ spec: { machines: [{ password: 'MTIzNDU2' }] } });
});

test('JSON without comments stays as it is', () => {
  fc.assert(
    fc.property(fc.object(), (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(withoutComments(text)).toBe(text);
    }),
  );
});
