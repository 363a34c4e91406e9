import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted, padded, textWidth } from './text-width.ts';

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

test('a cut text takes no more columns than there are, whatever letters it has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 40 }), (text, columns) => {
      expect(textWidth(fitted(text, columns))).toBeLessThanOrEqual(columns);
      expect(textWidth(padded(fitted(text, columns), columns))).toBe(columns);
    }),
  );
});
