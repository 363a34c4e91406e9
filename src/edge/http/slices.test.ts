import { expect, test } from 'vitest';
import { slices } from './slices.ts';

test.for([
  { name: 'nothing', text: '', count: 0 },
  { name: 'one letter', text: 'a', count: 1 },
  { name: 'exactly two pieces', text: 'a'.repeat(512 * 1024), count: 2 },
  { name: 'one letter more', text: 'a'.repeat(512 * 1024 + 1), count: 3 },
  { name: 'pairs that fit', text: '😀'.repeat(300 * 1024), count: 3 },
  { name: 'pairs across every seam', text: `a${'😀'.repeat(300 * 1024)}`, count: 3 },
  { name: 'half a pair at the end', text: `${'a'.repeat(256 * 1024 - 1)}\ud83d`, count: 1 },
])('slices: $name', ({ text, count }) => {
  const pieces = [...slices(text)];
  expect(pieces.length).toBe(count);
  expect(pieces.join('') === text).toBe(true);
  const encoded = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  expect(encoded.equals(Buffer.from(text))).toBe(true);
});
