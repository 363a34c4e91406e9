import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { halfCharacter, lineAfter, readPiece, startOfTail } from './read-pieces.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.for([
  ['', 0],
  ['ab', 0],
  ['aü', 0],
  ['a€', 0],
  ['a😀', 0],
] as const)('%s ends with a whole character', ([text, half]) => {
  expect(halfCharacter(bytes(text))).toBe(half);
  for (let cut = 1; cut < bytes(text.slice(1)).length; cut += 1)
    expect(halfCharacter(bytes(text).subarray(0, -cut))).toBe(bytes(text.slice(1)).length - cut);
});

test('bytes that are no text do not wait for a rest', () => {
  expect(halfCharacter(new Uint8Array([0x80, 0x80, 0x80, 0x80]))).toBe(0);
});

test('a file in pieces has the same text, and no character is cut', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'log');
  const text = 'a€😀ü\n'.repeat(60_000);
  writeFileSync(path, text);
  let read = '';
  for (let offset = 0; ;) {
    const piece = await readPiece(path, { offset });
    if (piece === undefined || piece.next === offset) break;
    expect(piece.text).not.toContain('\u{FFFD}');
    read += piece.text;
    offset = piece.next;
  }
  expect(read).toBe(text);
  expect(await readPiece(path, { offset: 1, end: 4 })).toMatchObject({ next: 4, text: '€' });
  expect(await readPiece(join(folder.path, 'none'), { offset: 0 })).toBeUndefined();
});

test.for([
  ['a\nb\nc\n', 1, 'c\n'],
  ['a\nb\nc', 1, 'c'],
  ['a\nb\nc\n', 2, 'b\nc\n'],
  ['a\nb\n', 9, 'a\nb\n'],
  ['a\nb\n', 0, ''],
  ['', 3, ''],
] as const)('the tail of %j: %i lines', async ([text, lines, tail]) => {
  using folder = tempDir();
  const path = join(folder.path, 'log');
  writeFileSync(path, text);
  expect(text.slice(await startOfTail(path, lines))).toBe(tail);
});

test('the tail may begin far before the end', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'log');
  writeFileSync(path, `first\n${'x'.repeat(200_000)}\ny\n`);
  expect(await startOfTail(path, 2)).toBe(6);
});

test.for([
  ['ab\ncd\n', 1, 3],
  ['ab\ncd\n', 3, 3],
  ['ab\ncd\n', 4, 6],
  ['€€€', 1, 3],
  ['abc', 0, 0],
] as const)('%j: the first line from byte %i on begins at %i', async ([text, offset, start]) => {
  using folder = tempDir();
  const path = join(folder.path, 'log');
  writeFileSync(path, text);
  expect(await lineAfter(path, offset)).toBe(start);
});
