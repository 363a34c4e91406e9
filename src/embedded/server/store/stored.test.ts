import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { parsedCaches } from './parsed-forms.ts';
import { Stored, storedText } from './stored.ts';

/** As it comes from a text: a text knows no minus zero. */
const anyJson = fc.jsonValue({ maxDepth: 2 }).map((value) => parseJson(printJson(value as Json)));
const metadata = fc.dictionary(fc.string({ minLength: 1 }), anyJson);
const rest = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => !['kind', 'apiVersion', 'metadata'].includes(key)),
  anyJson,
);
const isIndex = (key: string): boolean => /^(0|[1-9]\d*)$/.test(key);

test('the text of the metadata is cut out of the text of the object', () => {
  fc.assert(
    fc.property(
      metadata,
      rest.filter((each) => !Object.keys(each).some(isIndex)),
      (meta, others) => {
        const object = { ...others, metadata: meta, kind: 'Thing', apiVersion: 'v1' };
        const stored = new Stored(parsedCaches(), { key: 'a/b', revision: 3, json: storedText(object) });
        expect(stored.object).toEqual(object);
        expect(parseJson(stored.metaText)).toEqual(meta);
        expect(stored.json.startsWith('{"kind":"Thing","apiVersion":"v1","metadata":')).toBe(true);
      },
    ),
  );
});

// Engines print keys that look like indexes first, so they stand before the metadata.
test('a member whose name is a number does not hide the metadata', () => {
  const object = {
    0: { metadata: { name: 'forged' } },
    kind: 'Thing',
    apiVersion: 'v1',
    metadata: { name: 'true' },
  };
  expect(
    JSON.parse(new Stored(parsedCaches(), { key: 'a/b', revision: 3, json: storedText(object) }).metaText),
  ).toEqual({ name: 'true' });
});

test.for([
  ['a/b', 'a', 'b'],
  ['/b', '', 'b'],
  ['a-b/c.d', 'a-b', 'c.d'],
])('the key %s is namespace and name', ([key = '', namespace, name]) => {
  const stored = new Stored(parsedCaches(), { key, revision: 1, json: '{}' });
  expect([stored.namespace, stored.name]).toEqual([namespace, name]);
});
