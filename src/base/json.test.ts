import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import {
  at,
  equalJson,
  isArray,
  isObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  without,
  type Json,
} from './json.ts';

const parsed = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
const json = fc.jsonValue({ maxDepth: 3 }).map(parsed);
const hostile = parsed(
  JSON.parse('{"__proto__":{"a":1},"constructor":{"b":"c"},"list":[1,{"n":2}],"t":"x"}'),
);

test('equality is that of the values, whatever the order of keys', () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      expect(equalJson(left, right)).toBe(isDeepStrictEqual(left, right));
      expect(equalJson(left, parsed(left))).toBe(true);
      if (isObject(left)) {
        expect(equalJson(left, Object.fromEntries(Object.entries(left).toReversed()))).toBe(true);
      }
    }),
  );
});

test.for<readonly [left: Json | undefined, right: Json | undefined]>([
  [{}, []],
  [null, undefined],
  [null, {}],
  [[], null],
  ['1', 1],
  [{ a: null }, {}],
  [{ a: null }, { b: null }],
  [
    [1, 2],
    [2, 1],
  ],
  [{ constructor: 1 }, {}],
])('%j is not %j', ([left, right]) => {
  expect(equalJson(left, right)).toBe(false);
  expect(equalJson(right, left)).toBe(false);
});

test('paths lead only through members of one’s own', () => {
  expect(at(hostile, '__proto__', 'a')).toBe(1);
  expect(textAt(hostile, 'constructor', 'b')).toBe('c');
  expect(at({}, 'constructor')).toBeUndefined();
  expect(at({}, '__proto__')).toBeUndefined();
  expect(at(hostile, 'list', 'length')).toBeUndefined();
  expect(at(hostile, 't', 'length')).toBeUndefined();
  expect(at(hostile)).toBe(hostile);
  expect(numberAt(hostile, 't')).toBeUndefined();
  expect(objectAt(hostile, 'list')).toBeUndefined();
  expect(listAt(hostile, 'list')).toHaveLength(2);
  expect(listAt(hostile, 'nothing', 'here')).toEqual([]);
});

test('what is taken away is gone from the copy alone', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.string(), (object, key) => {
      const before = parsed(object);
      const rest = without(object, key);
      expect(Object.hasOwn(rest, key)).toBe(false);
      expect(equalJson(object, before)).toBe(true);
      if (!Object.hasOwn(object, key)) expect(rest).toBe(object);
    }),
  );
});

test('lists and objects are told apart', () => {
  expect([isObject([]), isObject(null), isObject('x'), isObject({})]).toEqual([false, false, false, true]);
  expect([isArray([]), isArray({}), isArray(undefined)]).toEqual([true, false, false]);
});
