import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quote, quoteAll } from './quote.ts';

const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));

test('a shell gives back every word as it was', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const program = `for each in ${quoteAll(words)}; do printf '%s\\0' "$each"; done`;
      const out = execFileSync('/bin/sh', ['-c', program]).toString('utf8');
      expect(out.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

test.for([
  { text: '/tmp/hooks/pre-install', quoted: '/tmp/hooks/pre-install' },
  { text: '', quoted: "''" },
  { text: "it's", quoted: `'it'\\''s'` },
  { text: '$(reboot)', quoted: "'$(reboot)'" },
])('$text becomes $quoted', ({ text, quoted }) => {
  expect(quote(text)).toBe(quoted);
});

test('a NUL is refused', () => {
  expect(() => quote('a\0b')).toThrow('NUL');
});
