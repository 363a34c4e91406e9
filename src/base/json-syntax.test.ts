import { expect, test } from 'vitest';
import { jsonSyntaxError } from './json-syntax.ts';

test.for([
  ['', 'unexpected end of JSON input'],
  ['{"apiVersion":', 'unexpected end of JSON input'],
  ['not json', "invalid character 'o' in literal null (expecting 'u')"],
  ['{a}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['"\n"', String.raw`invalid character '\n' in string literal`],
  [String.raw`"\q"`, "invalid character 'q' in string escape code"],
  [' \t\r\n{ \t\r\n"a"\n:\r1\t}\v', String.raw`invalid character '\x0b' after top-level value`],
  [`${' '.repeat(3_000_000)}x`, "invalid character 'x' looking for beginning of value"],
  ['-', 'unexpected end of JSON input'],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
] as const)('%s: %s', ([text, message]) => {
  expect(jsonSyntaxError(text)).toBe(message);
});

test('nesting without end is refused, not followed', () => {
  expect(jsonSyntaxError('['.repeat(100_000))).toBe('exceeded max depth');
});
