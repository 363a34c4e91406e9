import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harmlessText } from './harmless-text.ts';

test.for<[string, string]>([
  ['plain é 执行 🚀\n\tnext', 'plain é 执行 🚀\n\tnext'],
  ['\u001B[31mred\u001B[0m', 'red'],
  ['\u001B]0;title\u0007', '\\x1b]0;title\\x07'],
  ['a\rb\u0008\u007F', 'a\\x0db\\x08\\x7f'],
  ['\u009B2J\u0085', '\\x85'],
  ['user\u202Etxt.exe', 'user\\u202etxt.exe'],
])('%j is shown as %j', ([text, shown]) => {
  expect(harmlessText(text)).toBe(shown);
});

test('nothing that a terminal obeys is left, and a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = harmlessText(text);
      expect(shown.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
      expect(harmlessText(shown)).toBe(shown);
    }),
  );
});
