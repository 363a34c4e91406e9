import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { ApiError } from '#kube/status.ts';
import { applyMergePatch } from './merge.ts';
import { objectPatch } from './undecodable.ts';

test.for<{ document: Json; patch: Json; result: Json }>([
  { document: { a: 'b' }, patch: { a: 'c' }, result: { a: 'c' } },
  { document: { a: 'b' }, patch: { b: 'c' }, result: { a: 'b', b: 'c' } },
  { document: { a: 'b', b: 'c' }, patch: { a: null }, result: { b: 'c' } },
  { document: { a: ['b'] }, patch: { a: 'c' }, result: { a: 'c' } },
  { document: { a: 'c' }, patch: { a: ['b'] }, result: { a: ['b'] } },
  { document: { a: { b: 'c' } }, patch: { a: { b: 'd', c: null } }, result: { a: { b: 'd' } } },
  { document: { a: [{ b: 'c' }] }, patch: { a: [1] }, result: { a: [1] } },
  { document: ['a', 'b'], patch: ['c', 'd'], result: ['c', 'd'] },
  { document: { a: 'b' }, patch: ['c'], result: ['c'] },
  { document: { a: 'foo' }, patch: null, result: null },
  { document: { e: null }, patch: { a: 1 }, result: { e: null, a: 1 } },
  { document: [1, 2], patch: { a: 'b', c: null }, result: { a: 'b' } },
  { document: {}, patch: { a: { bb: { ccc: null } } }, result: { a: { bb: {} } } },
])('$document with $patch is $result', ({ document, patch, result }) => {
  expect(applyMergePatch(document, patch)).toEqual(result);
});

test('members of the prototype are neither read nor written', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"a":1}}') as Json;
  const result = applyMergePatch({}, patch);
  expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1},"constructor":{"a":1}}');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect('polluted' in {}).toBe(false);
});

const tree = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

test('the laws of merge patches', () => {
  fc.assert(
    fc.property(tree, tree, (document, patch) => {
      const snapshot = JSON.stringify([document, patch]);
      const once = applyMergePatch(document, patch);
      expect(applyMergePatch(once, patch)).toEqual(once);
      expect(applyMergePatch(document, {})).toEqual(
        typeof document === 'object' && !Array.isArray(document) && document !== null ? document : {},
      );
      expect(JSON.stringify([document, patch])).toBe(snapshot);
    }),
  );
});

test('a patch that changes nothing gives the very same object', () => {
  const document = { spec: { a: 1, l: [] }, metadata: { name: 'x' } };
  expect(applyMergePatch(document, { spec: { a: 1, gone: null }, metadata: {} })).toBe(document);
});

test('a patch that is not an object is a bad request on the wire', () => {
  expect(() => objectPatch([1, 2])).toThrow(ApiError);
  expect(() => objectPatch([1, 2])).toThrow(
    'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  );
  expect(objectPatch({ a: 1 })).toEqual({ a: 1 });
});
