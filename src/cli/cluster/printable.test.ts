import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted, printable } from './printable.ts';

test.for([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['执行脚本', 8, '执行脚本'],
  ['执行脚本', 7, '执行脚…'],
  ['执行脚本', 6, '执行…'],
  ['执行脚本', 2, '…'],
  ['e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301e\u0301'],
  ['🚀🚀', 3, '🚀…'],
  ['', 0, ''],
] as const)('%j in %i columns: %j', ([text, columns, shown]) => {
  expect(fitted(text, columns)).toBe(shown);
});

test('a text is never cut within a letter, and never grows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
      const shown = fitted(text, columns);
      expect(shown === text || (shown.endsWith('…') && text.startsWith(shown.slice(0, -1)))).toBe(true);
      expect(shown.isWellFormed()).toBe(text.isWellFormed());
    }),
  );
});

test('nothing that moves a cursor is left', () => {
  expect(printable('\u001B[2J\u001B[31mred\u001B[0m\r\u001B]0;title\u0007\u009B5A')).not.toMatch(/\p{Cc}/u);
});
