import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { configMapRules } from './config-map.ts';
import { refusals, updateRefusals } from './testing/check.ts';

const mebibyte = 1_048_576;

test.for<readonly [what: string, map: JsonObject, complaints: readonly string[]]>([
  ['right', { data: { a: '1' }, binaryData: { b: 'AAAA' } }, []],
  ['empty', {}, []],
  [
    'a key in both bags',
    { data: { x: '1' }, binaryData: { x: 'AAAA' } },
    ['data[x]: Invalid value: "x": duplicate of key present in binaryData'],
  ],
  ['a way out', { data: { '..': '1' } }, [`data[..]: Invalid value: "..": must not be '..'`]],
  [
    'a way out in binary',
    { binaryData: { '..': '' } },
    [`binaryData[..]: Invalid value: "..": must not be '..'`],
  ],
  ['as much as it may hold', { data: { a: 'x'.repeat(mebibyte) } }, []],
  ['more', { data: { a: 'x'.repeat(mebibyte + 1) } }, ['[]: Too long: may not be more than 1048576 bytes']],
  [
    'more bytes than characters',
    { data: { a: 'ä'.repeat(600_000) } },
    ['[]: Too long: may not be more than 1048576 bytes'],
  ],
  [
    'more bytes in small pieces',
    { data: Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`k${i}`, 'ä'.repeat(1000)])) },
    ['[]: Too long: may not be more than 1048576 bytes'],
  ],
  [
    'more in small pieces',
    { data: Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`k${i}`, 'x'.repeat(1000)])) },
    ['[]: Too long: may not be more than 1048576 bytes'],
  ],
])('%s', ([, map, complaints]) => {
  expect(refusals(configMapRules, map)).toEqual(complaints);
});

const frozen = { immutable: true, data: { x: '1' } };
const text = 'Forbidden: field is immutable when `immutable` is set';

test.for<readonly [what: string, change: JsonObject, complaints: readonly string[]]>([
  ['data', { data: { x: '2' } }, [`data: ${text}`]],
  ['binary data', { binaryData: { b: 'AAAA' } }, [`binaryData: ${text}`]],
  ['immutability', { immutable: false }, [`immutable: ${text}`]],
  ['labels', { metadata: { labels: {} } }, []],
])('an immutable map refuses to change its %s', ([, change, complaints]) => {
  expect(updateRefusals(configMapRules, { ...frozen, ...change }, frozen)).toEqual(complaints);
});

test('a map may become immutable', () => {
  expect(updateRefusals(configMapRules, frozen, { data: { x: '0' } })).toEqual([]);
});
