import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffHunks, lineDiff, type DiffLine } from './line-diff.ts';

const signs = { same: ' ', removed: '-', added: '+' } as const;
const shown = (lines: readonly DiffLine[]): string =>
  lines.map(({ type, text }) => `${signs[type]}${text}`).join(' ');

test.for([
  ['a b c', 'a x c', ' a -b +x  c'],
  ['a b', 'a b', ' a  b'],
  ['', 'a', '+a'],
  ['a', '', '-a'],
  ['a b c d', 'b d e', '-a  b -c  d +e'],
] as const)('from "%s" to "%s"', ([from, to, expected]) => {
  const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));
  expect(shown(lineDiff(words(from), words(to)))).toBe(expected);
});

test('both texts can be read from the comparison', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(texts, texts, (from, to) => {
      const lines = lineDiff(from, to);
      const without = (type: string): readonly string[] =>
        lines.filter((line) => line.type !== type).map(({ text }) => text);
      expect(without('added')).toEqual(from);
      expect(without('removed')).toEqual(to);
    }),
  );
});

test('texts that are too long to compare inside are removed and added whole', () => {
  const lines = (letter: string): readonly string[] => [
    'first',
    ...Array.from({ length: 3000 }, (_, i) => `${letter}${i % 7}`),
  ];
  const found = lineDiff(lines('a'), lines('b'));
  expect(found).toHaveLength(6001);
  expect(found[0]).toEqual({ type: 'same', text: 'first' });
});

test('changes that are near each other are one hunk, with lines around them', () => {
  const from = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const to = from.with(4, 'x').with(8, 'y').with(25, 'z');
  const hunks = diffHunks(lineDiff(from, to));
  expect(hunks.map(({ header }) => header)).toEqual(['@@ -2,11 +2,11 @@', '@@ -23,7 +23,7 @@']);
  expect(hunks[0]?.lines.at(0)?.text).toBe('line 1');
  expect(hunks[0]?.lines.at(-1)?.text).toBe('line 11');
  expect(diffHunks(lineDiff(from, from))).toEqual([]);
  expect(diffHunks(lineDiff([], ['a']))[0]?.header).toBe('@@ -0,0 +1,1 @@');
});
