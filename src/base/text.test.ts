import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten } from './text.ts';

test.for([
  ['short', 10, 'short'],
  ['just right', 10, 'just right'],
  ['a bit too long', 10, 'a bit too…'],
  ['abc', 1, '…'],
  ['ab😀cd', 5, 'ab😀…'],
  ['ab😀cd', 4, 'ab…'],
] as const)('%s in %d characters: %s', ([text, longest, expected]) => {
  expect(shorten(text, longest)).toBe(expected);
});

test('never longer than allowed, never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, longest) => {
      const short = shorten(text, longest);
      expect(short.length).toBeLessThanOrEqual(longest);
      expect(short.isWellFormed()).toBe(text.isWellFormed());
    }),
  );
});
