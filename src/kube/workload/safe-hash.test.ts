import { expect, test } from 'vitest';
import { fnv32, orderedJson, safeName } from './safe-hash.ts';

test('FNV-1 as published', () => {
  expect(fnv32('')).toBe(0x811c9dc5);
  expect(fnv32('a')).toBe(0x050c5d7e);
  expect(fnv32('foobar')).toBe(0x31f0b262);
});

test('hashes use no letter that could spell a word', () => {
  expect(safeName(1_234_567_890)).toBe('56789bcdf4');
});

test('JSON in order, escaped as Go escapes it', () => {
  expect(orderedJson({ b: [1, null], a: '<&>é', c: { z: true, y: 'é' } })).toBe(
    String.raw`{"a":"\u003c\u0026\u003eé","b":[1,null],"c":{"y":"é","z":true}}`,
  );
});
