import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalJson, type Json } from './json.ts';
import { integerFrom } from './integer.ts';
import { parseJson, printJson } from './json-text.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('every integer of 64 bits is printed as it was read, wherever it stands', () => {
  fc.assert(
    fc.property(int64, fc.string(), (value, key) => {
      const text = `{${JSON.stringify(`k${key}`)}:[${value},{"a":${value}}],"b":${value}}`;
      expect(printJson(parseJson(text))).toBe(text);
      expect(parseJson(` ${value}\n`)).toBe(Number.isSafeInteger(Number(value)) ? Number(value) : value);
    }),
  );
});

/** Large floats print as the integers that they are, and are read as such. */
const fractions = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));

const small = fc.json({ maxDepth: 3 }).filter((text) => !/\d{16}/.test(text));

test('all other values are those of JSON.parse, and print as JSON.stringify prints them', () => {
  fc.assert(
    fc.property(small, fractions, (text, double) => {
      const whole = `[${text},${JSON.stringify(double)},0.12345678901234567," 1234567890123456"]`;
      const plain = JSON.parse(whole) as Json;
      expect(equalJson(parseJson(whole), plain)).toBe(true);
      expect(printJson(plain)).toBe(JSON.stringify(plain));
    }),
  );
});

test.for<readonly [text: string, value: Json]>([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', 9_007_199_254_740_992n],
  ['-9007199254740992', -9_007_199_254_740_992n],
  ['9223372036854775807', 9_223_372_036_854_775_807n],
  ['-9223372036854775808', -9_223_372_036_854_775_808n],
  // Beyond 64 bits, and with a point or an exponent, a number is a float, as in Go.
  ['9223372036854775808', 9_223_372_036_854_775_808],
  ['12345678901234567890', 12_345_678_901_234_567_000],
  ['9007199254740993.0', 9_007_199_254_740_992],
  ['9007199254740993e0', 9_007_199_254_740_992],
  ['"9007199254740993"', '9007199254740993'],
  ['{"__proto__":9007199254740993}', JSON.parse('{"__proto__":0}') as Json],
])('%s', ([text, value]) => {
  if (text.includes('__proto__')) {
    expect(printJson(parseJson(text))).toBe(text);
    expect(Object.hasOwn(parseJson(text) as object, '__proto__')).toBe(true);
  } else expect(parseJson(text)).toEqual(value);
});

test('a text that is not JSON is refused, with large integers as without', () => {
  expect(() => parseJson('{"a":9007199254740993,}')).toThrow(SyntaxError);
  expect(() => parseJson('9007199254740993 1')).toThrow(SyntaxError);
});

test('integers are printed with an indent too', () => {
  expect(printJson({ a: 9_007_199_254_740_993n }, 2)).toBe('{\n  "a": 9007199254740993\n}');
});

test('a bigint equals the number that is exactly as large, and no other', () => {
  expect(equalJson({ a: 2n ** 53n }, { a: 2 ** 53 })).toBe(true);
  expect(equalJson(2n ** 53n + 1n, 2 ** 53)).toBe(false);
  expect(equalJson([2n ** 53n + 1n], [2n ** 53n + 1n])).toBe(true);
  expect(equalJson(2n ** 53n + 1n, '9007199254740993')).toBe(false);
});

test('a text with one long number is read as JSON.parse reads it, but for that number', () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (text, name) => {
      const key = JSON.stringify(name);
      const whole = `[9007199254740993 , {${key}:\t${text}, ${key}: "\\u00e9\\"", "__proto__" :null}, true,false,-0.5e-3 ]`;
      const [large, map, ...rest] = parseJson(whole) as readonly Json[];
      expect(large).toBe(9_007_199_254_740_993n);
      expect(printJson(map ?? null)).toBe(JSON.stringify((JSON.parse(whole) as Json[])[1]));
      expect(rest).toEqual([true, false, -0.0005]);
      expect(
        equalJson(parseJson(`[${text},9007199254740993]`), [parseJson(text), 9_007_199_254_740_993n]),
      ).toBe(true);
    }),
  );
});

test('nesting without end is refused, not followed', () => {
  const deep = `${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}`;
  expect(() => parseJson(deep)).toThrow(SyntaxError);
});

test('a million digits take no time', () => {
  const digits = '9'.repeat(1_000_000);
  const started = process.cpuUsage().user;
  expect(parseJson(`[${digits}]`)).toEqual([Infinity]);
  expect(integerFrom(digits)).toBe(Infinity);
  expect(process.cpuUsage().user - started).toBeLessThan(1_000_000);
});
